/* The tool tkern. */
#include "commands.h"

int main(int argc, char **argv)
{
    return tsr_cli_tkern(argc, argv);
}
