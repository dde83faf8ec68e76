/* The tool tconv. */
#include "commands.h"

int main(int argc, char **argv)
{
    return tsr_cli_tconv(argc, argv);
}
