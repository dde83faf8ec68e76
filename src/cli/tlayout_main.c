/* The tool tlayout. */
#include "commands.h"

int main(int argc, char **argv)
{
    return tsr_cli_tlayout(argc, argv);
}
