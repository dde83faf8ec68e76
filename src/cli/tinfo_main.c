/* The tool tinfo. */
#include "commands.h"

int main(int argc, char **argv)
{
    return tsr_cli_tinfo(argc, argv);
}
