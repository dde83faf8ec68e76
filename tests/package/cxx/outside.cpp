// A C++ program outside the tree: the C header and the C++ header compile, and do what the library does for C.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <tessera/tessera.hpp>

#if TSR_VERSION_NUMBER < 200
#error "0.2.0 is version number 200"
#endif

static void require(bool condition, const char *what)
{
    if (!condition)
        throw std::logic_error(what);
}

static void multiply(const tessera::tensor &A)
{
    std::vector<double> x(A.dim(1), 1.0), y(A.dim(0));
    const tessera::kernel spmv("y(i) = A(i,j) * x(j)");
    spmv.run(tessera::view(y), {A, tessera::view(x)});
    const tessera::tensor other = tessera::kernel::einsum("ij,j->i")({A, tessera::view(x)});
    double sum = 0;
    for (const double v : A.values<double>())
        sum += v;
    for (std::size_t i = 0; i < y.size(); i++) {
        require(y[i] == other.values<double>()[i], "two kernels differ");
        sum -= y[i];
    }
    require(std::fabs(sum) < 1e-12, "the sum of A x is not that of A");
}

static void borrow()
{
    std::vector<int> pos{0, 1, 3}, crd{1, 0, 2};
    std::vector<float> values{1, 2, 3};
    const tessera::tensor A =
        tessera::borrow("csr", {2, 3}, {tessera::array_of(pos), tessera::array_of(crd), tessera::array_of(values)});
    require(A.array<int>(1, "crd").data() == crd.data(), "the coordinates were copied");
    const tessera::tensor B = A.convert("csc");
    const tessera::tensor shared = B;
    tessera::tensor named = A.convert("coo");
    named.set_labels(0, {"first", "second"});
    require(named.convert("csc").label(0, 1) == "second" && named.label(1, 0).empty() && A.label(0, 0).empty(), "labels");
    require(shared.get() == B.get() && B.format() == "csc" && B.values<float>()[0] == 2, "csc");
    try {
        (void)A.values<double>();
        require(false, "float is not double");
    } catch (const tessera::error &e) {
        require(e.status() == TESSERA_ARGUMENT, "status");
    }
    try {
        tessera::read("/nowhere/at/all.mtx");
        require(false, "no such file");
    } catch (const tessera::error &e) {
        require(e.status() == TESSERA_IO && e.path() == "/nowhere/at/all.mtx", e.what());
    }
    require(tessera::layout("(2,3):(3,1)")({1, 2}) == 5, "layout");
}

// Selections, conditions, several statements, patterns made before their values, gradients.
static void endings()
{
    std::vector<int> pos{0, 1, 3}, crd{1, 0, 2};
    std::vector<double> values{1, 2, 3}, limit{2, 20};
    const tessera::tensor A =
        tessera::borrow("csr", {2, 3}, {tessera::array_of(pos), tessera::array_of(crd), tessera::array_of(values)});
    const tessera::tensor top = tessera::kernel("S(i,j) top(1)= A(i,j)")({A});
    require(top.nnz() == 2 && top.values<double>()[1] == 3, "the largest entry of each row");
    const tessera::kernel squares("C(i,j) = A(i,k)*B(j,k) where abs(C) > 2");
    const tessera::tensor C = squares({A, A});
    require(C.nnz() == 1 && C.values<double>()[0] == 13, "entries that a condition keeps");
    require(tessera::kernel("C(i,j) = A(i,k)*B(j,k) where C < t(i)")({A, A, tessera::view(limit)}).nnz() == 2,
            "a condition with an operand");
    const tessera::tensor Y = tessera::kernel("s(i) = A(i,j)*A(i,j); Y(i,j) = A(i,j)/sqrt(s(i))")({A});
    require(Y.values<double>()[1] == 1, "several statements"); // a small result is dense
    const tessera::kernel product("C(i,j) = A(i,k)*B(j,k)");
    const tessera::tensor P = product.assemble({A, A});
    require(product.nnz({A, A}) == 2 && P.nnz() == 2 && P.values<double>()[1] == 0, "entries before their values");
    product.compute(P, {A, A});
    require(P.values<double>()[1] == 13, "values into a pattern");
    require(tessera::kernel::gradient("y(i) = A(i,j)*x(j)", "x").find("dx(j)") != std::string::npos, "a gradient");
    try {
        tessera::kernel("C(i,j) = A(i,k)*B(j,k) where D(i,j) > C(j,i)")({A, A, A});
        require(false, "a condition that reads other entries");
    } catch (const tessera::error &e) {
        require(e.status() != TESSERA_OK, e.what());
    }
}

// A resource that counts its bytes.
class counted : public std::pmr::memory_resource
{
  public:
    std::size_t nbytes = 0;

  private:
    void *do_allocate(std::size_t n, std::size_t alignment) override
    {
        nbytes += n;
        return std::pmr::new_delete_resource()->allocate(n, alignment);
    }
    void do_deallocate(void *block, std::size_t n, std::size_t alignment) override
    {
        nbytes -= n;
        std::pmr::new_delete_resource()->deallocate(block, n, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override { return this == &other; }
};

static void streams_and_memory(const tessera::tensor &A)
{
    std::ostringstream out;
    A.write(out, "x.mtx");
    const std::string bytes = out.str();
    counted memory;
    tessera::context ctx;
    ctx.allocate_from(&memory);
    {
        std::istringstream in(bytes);
        const tessera::tensor B = tessera::read(in, "csr", ctx);
        const tessera::tensor C = tessera::read_memory(bytes.data(), bytes.size(), "csr", ctx);
        require(B.nnz() == A.nnz() && C.nnz() == A.nnz(), "entries are lost on the way through a stream");
        require(memory.nbytes > 0, "the arrays are not in the resource");
    }
    require(memory.nbytes == 0, "the resource did not get its blocks back");
    int nsteps = 0;
    ctx.watch([&](const tessera_progress &) { return ++nsteps > 0; });
    try {
        std::istringstream in(bytes);
        tessera::read(in, "csr", ctx);
        require(false, "a watch ends the call");
    } catch (const tessera::error &e) {
        require(e.status() == TESSERA_CANCELLED && nsteps > 0, e.what());
    }
    ctx.watch(nullptr);
    ctx.reset();
    tessera::read_memory(bytes.data(), bytes.size(), "", ctx);
}

// Entries one by one and in arrays, and a file.
void build()
{
    tessera::builder b({3, 0});
    std::vector<int> rows{0, 2}, columns{5, 1};
    std::vector<float> values{2, 3};
    b.add({tessera::array_of(rows), tessera::array_of(columns)}, tessera::array_of(values), 1);
    {
        tessera::adder<double> add(b);
        for (int k = 0; k < 1000; k++)
            add(k % 3, 4, 0.5);
    }
    tessera::adder<double> wrong(b);
    try {
        wrong(3, 0, 1.0);
        wrong.flush();
        require(false, "a coordinate beyond the dims is refused");
    } catch (const tessera::error &e) {
        require(e.status() == TESSERA_CORRUPT, e.what());
    }
    require(b.nentries() == 1002 && b.nbytes() > 0 && b.spilled_nbytes() == 0, "entries are counted");
    const tessera::tensor A = b.finish("csr", TESSERA_SUM, true);
    require(A.dim(1) == 6 && A.nnz() == 5 && A.values<double>()[0] == 167, "the sums of entries");
    b.finish_file("built.mtx");
    require(b.nentries() == 0 && tessera::read("built.mtx").nnz() == 5, "the file of a builder");
    b.clear();
}

int main(int argc, char **argv)
try {
    require(std::strcmp(tessera_version(), TSR_VERSION) == 0, "headers and library are of different versions");
    const tessera::context ctx(2);
    const tessera::tensor A = tessera::read(argc > 1 ? argv[1] : "-", argc > 2 ? argv[2] : "csr", ctx);
    multiply(A);
    borrow();
    endings();
    streams_and_memory(A);
    build();
    std::printf("%llu values\n", static_cast<unsigned long long>(A.nnz()));
    return 0;
} catch (const std::exception &e) {
    std::fprintf(stderr, "outside: %s\n", e.what());
    return 1;
}
