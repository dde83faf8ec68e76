/* The tool tinfo. */
#include "commands.h"
#include "signals.h"

int main(int argc, char **argv)
{
    return tsr_cli_end(tsr_cli_tinfo(argc, argv));
}
