suppressMessages(library(Matrix))
emit <- function(file, object, m) {
  cat("= ", file, " ", object, " ", nrow(m), " ", ncol(m), "\n", sep="")
  if (is.matrix(m)) { for (i in seq_len(nrow(m))) for (j in seq_len(ncol(m))) cat(i-1, j-1, sprintf("%.17g", as.numeric(m[i,j])), "\n"); return(invisible()) }
  t <- as(m, "TsparseMatrix")
  x <- if (.hasSlot(t, "x")) as.numeric(t@x) else rep(1, length(t@i))
  if (length(x)) for (k in seq_along(x)) cat(t@i[k], t@j[k], sprintf("%.17g", x[k]), "\n")
}
sink("answers.txt")
for (f in c("dgC.rds","dgC2.rds","dgC_bz.rds","dgC_xz.rds","dgT.rds","dgR.rds","lgC.rds","ngC.rds","empty.rds","dense.rds")) emit(f, "-", readRDS(f))
emit("dsC.rds", "-", as(readRDS("dsC.rds"), "generalMatrix"))
l <- readRDS("list.rds"); emit("list.rds", "b/counts", l$b$counts); emit("list.rds", "c", l$c)
emit("seurat.rds", "assays/RNA/counts", readRDS("dgC.rds"))
sink()
