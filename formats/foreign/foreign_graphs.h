/* Files of graphs that Tessera recognises but does not read: see foreign.c. */
#ifndef FOREIGN_GRAPHS_H
#define FOREIGN_GRAPHS_H

#include "tsr_codec.h"

/* METIS: sizes on the first line, as many lines of neighbours as vertices. The content looks like that of other texts, so the suffix
 * .graph must say it. */
bool tsr_is_metis(const tsr_probe *probe);
/* Pajek: sections that begin with '*', the first one is *Vertices or *Network. */
bool tsr_is_pajek(const tsr_probe *probe);
/* GraphML or GEXF, which are XML. */
bool tsr_is_graphml(const tsr_probe *probe);
/* GML: "graph [", after settings of one line each. */
bool tsr_is_gml(const tsr_probe *probe);
/* Graphviz: "digraph NAME {" or "graph NAME {". */
bool tsr_is_graphviz(const tsr_probe *probe);
/* DIMACS: comments "c ...", then a line "p KIND VERTICES EDGES". */
bool tsr_is_dimacs(const tsr_probe *probe);

#endif
