/* The tool tlayout. */
#include "commands.h"
#include "signals.h"

int main(int argc, char **argv)
{
    return tsr_cli_end(tsr_cli_tlayout(argc, argv));
}
