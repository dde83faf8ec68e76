// Tessera for C++17: objects that free what they hold, exceptions, spans. Header-only, over tessera.h, which describes
// each function.
//
//     tessera::tensor A = tessera::read("matrix.mtx", "csr");
//     std::vector<double> x(A.dim(1), 1.0), y(A.dim(0));
//     tessera::kernel spmv("y(i) = A(i,j) * x(j)");
//     spmv.run(tessera::view(y), {A, tessera::view(x)});
//
// Each function takes an optional tessera::context as the last argument; without one it makes its own. A failure
// throws tessera::error.
#ifndef TESSERA_TESSERA_HPP
#define TESSERA_TESSERA_HPP

#include <complex>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <istream>
#include <memory>
#include <memory_resource>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tessera.h"

namespace tessera
{

// A status other than TESSERA_OK; what() is "path:line:column: sentence".
class error : public std::runtime_error
{
  public:
    error(tessera_status status, const std::string &text) : std::runtime_error(text), status_(status) {}
    tessera_status status() const noexcept { return status_; }
    const std::string &path() const noexcept { return path_; }
    std::uint64_t line() const noexcept { return line_; }
    std::uint64_t column() const noexcept { return column_; }

    // The error of the last call with this context.
    static error of(const tessera_context *ctx, tessera_status status)
    {
        const char *const text = tessera_context_text(ctx);
        error e(status, *text ? text : tessera_status_text(status));
        e.path_ = tessera_context_path(ctx);
        e.line_ = tessera_context_line(ctx);
        e.column_ = tessera_context_column(ctx);
        return e;
    }

  private:
    tessera_status status_;
    std::string path_;
    std::uint64_t line_ = 0, column_ = 0;
};

// Errors, threads, progress and cancelling of the calls that are given it. One thread at a time uses a context.
class context
{
  public:
    explicit context(int nthreads = 0) : ctx_(tessera_context_new())
    {
        if (!ctx_)
            throw std::bad_alloc();
        tessera_context_set_threads(ctx_.get(), nthreads);
    }
    tessera_context *get() const noexcept { return ctx_.get(); }
    void cancel() const noexcept { tessera_context_cancel(ctx_.get()); }
    void reset() const noexcept { tessera_context_reset(ctx_.get()); }
    // Called at each step of the calls with this context; true, or an exception, ends the call. nullptr: not any more.
    void watch(std::function<bool(const tessera_progress &)> function)
    {
        using watcher = std::function<bool(const tessera_progress &)>;
        watch_ = function ? std::make_unique<watcher>(std::move(function)) : nullptr;
        const auto call = [](void *user, const tessera_progress *state) -> int {
            try {
                return (*static_cast<watcher *>(user))(*state);
            } catch (...) {
                return 1;
            }
        };
        tessera_context_watch(ctx_.get(), watch_ ? +call : nullptr, watch_.get());
    }
    // Arrays of the tensors that are made from now on lie in the resource, which must outlive them; nullptr: in the library's memory.
    void allocate_from(std::pmr::memory_resource *resource) const
    {
        tessera_allocator a{};
        a.size = sizeof a;
        a.user = resource;
        a.allocate = [](void *user, std::size_t nbytes, std::size_t alignment) -> void * {
            try {
                return static_cast<std::pmr::memory_resource *>(user)->allocate(nbytes, alignment);
            } catch (...) {
                return nullptr;
            }
        };
        a.free = [](void *user, void *block, std::size_t nbytes) {
            static_cast<std::pmr::memory_resource *>(user)->deallocate(block, nbytes, 64);
        };
        check(tessera_context_set_allocator(ctx_.get(), resource ? &a : nullptr));
    }
    tessera_progress progress() const noexcept
    {
        tessera_progress p{};
        p.size = sizeof p;
        tessera_context_progress(&p, ctx_.get());
        return p;
    }
    std::vector<std::string> warnings() const
    {
        std::vector<std::string> all;
        for (int i = 0; i < tessera_context_nwarnings(ctx_.get()); i++)
            all.emplace_back(tessera_context_warning(ctx_.get(), i));
        return all;
    }
    // Throw unless the status is TESSERA_OK.
    void check(tessera_status status) const
    {
        if (status != TESSERA_OK)
            throw error::of(ctx_.get(), status);
    }

  private:
    struct deleter {
        void operator()(tessera_context *ctx) const noexcept { tessera_context_free(ctx); }
    };
    std::unique_ptr<std::function<bool(const tessera_progress &)>> watch_;
    std::unique_ptr<tessera_context, deleter> ctx_;
};

// Borrowed elements: as std::span of C++20.
template <class T> class span
{
  public:
    span() = default;
    span(T *data, std::size_t n) : data_(data), n_(n) {}
    T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return n_; }
    bool empty() const noexcept { return n_ == 0; }
    T *begin() const noexcept { return data_; }
    T *end() const noexcept { return data_ + n_; }
    T &operator[](std::size_t i) const { return data_[i]; }

  private:
    T *data_ = nullptr;
    std::size_t n_ = 0;
};

// The number of a C++ type: type_of<double>::value is TESSERA_F64.
template <class T> struct type_of;
// clang-format off
template <> struct type_of<double> { static constexpr tessera_type value = TESSERA_F64; };
template <> struct type_of<float> { static constexpr tessera_type value = TESSERA_F32; };
template <> struct type_of<std::int8_t> { static constexpr tessera_type value = TESSERA_I8; };
template <> struct type_of<std::int16_t> { static constexpr tessera_type value = TESSERA_I16; };
template <> struct type_of<std::int32_t> { static constexpr tessera_type value = TESSERA_I32; };
template <> struct type_of<std::int64_t> { static constexpr tessera_type value = TESSERA_I64; };
template <> struct type_of<std::uint8_t> { static constexpr tessera_type value = TESSERA_U8; };
template <> struct type_of<std::uint16_t> { static constexpr tessera_type value = TESSERA_U16; };
template <> struct type_of<std::uint32_t> { static constexpr tessera_type value = TESSERA_U32; };
template <> struct type_of<std::uint64_t> { static constexpr tessera_type value = TESSERA_U64; };
template <> struct type_of<std::complex<float>> { static constexpr tessera_type value = TESSERA_C64; };
template <> struct type_of<std::complex<double>> { static constexpr tessera_type value = TESSERA_C128; };
// clang-format on

namespace detail
{
inline std::string take(char *text)
{
    const std::unique_ptr<char, void (*)(char *)> owner(text, tessera_text_free);
    return text;
}
inline const char *given(const std::string &text)
{
    return text.empty() ? nullptr : text.c_str();
}
template <class Options> Options sized()
{
    Options o{};
    o.size = sizeof o;
    return o;
}
} // namespace detail

// A tensor. Copies share it.
class tensor
{
  public:
    tensor() = default;
    // Take over a handle.
    explicit tensor(tessera_tensor *handle) noexcept : t_(handle) {}
    tensor(const tensor &other) noexcept : t_(tessera_tensor_share(other.t_)) {}
    tensor(tensor &&other) noexcept : t_(std::exchange(other.t_, nullptr)) {}
    tensor &operator=(tensor other) noexcept
    {
        std::swap(t_, other.t_);
        return *this;
    }
    ~tensor() { tessera_tensor_free(t_); }

    tessera_tensor *get() const noexcept { return t_; }
    explicit operator bool() const noexcept { return t_ != nullptr; }
    int order() const noexcept { return tessera_tensor_order(t_); }
    span<const std::uint64_t> dims() const noexcept
    {
        return {tessera_tensor_dims(t_), static_cast<std::size_t>(order())};
    }
    std::uint64_t dim(int mode) const { return dims()[static_cast<std::size_t>(mode)]; }
    tessera_type type() const noexcept { return tessera_tensor_type(t_); }
    tessera_structure structure() const noexcept { return tessera_tensor_structure(t_); }
    std::uint64_t nnz() const noexcept { return tessera_tensor_nnz(t_); }
    std::uint64_t nbytes() const noexcept { return tessera_tensor_nbytes(t_); }
    std::string format() const { return tessera_tensor_format(t_); }
    // The name of an index of a mode; "" where the mode has no names.
    std::string label(int mode, std::uint64_t i) const
    {
        const char *const name = tessera_tensor_label(t_, mode, i);
        return name ? name : "";
    }
    // Give a mode names, one for each index; an empty list takes them away.
    void set_labels(int mode, const std::vector<std::string> &names, const context &ctx = context())
    {
        std::vector<const char *> list;
        for (const std::string &name : names)
            list.push_back(name.c_str());
        ctx.check(tessera_tensor_set_labels(t_, mode, list.empty() ? nullptr : list.data(), list.size(), ctx.get()));
    }
    int nlevels() const noexcept { return tessera_tensor_nlevels(t_); }
    int narrays() const noexcept { return tessera_tensor_narrays(t_); }

    tessera_array array(int i, const context &ctx = context()) const
    {
        tessera_array out{};
        ctx.check(tessera_tensor_array(&out, t_, i, ctx.get()));
        return out;
    }
    // An array of level l as elements of T, which must have the type of the array (signed or not).
    template <class T> span<T> array(int l, const char *name, const context &ctx = context()) const
    {
        tessera_array out{};
        ctx.check(tessera_tensor_find(&out, t_, l, name, ctx.get()));
        if (!fits<T>(out.type))
            throw error(TESSERA_ARGUMENT, std::string("the array has elements of type ") +
                                              tessera_type_text(out.type) + ", not " +
                                              tessera_type_text(type_of<T>::value));
        return {static_cast<T *>(out.data), static_cast<std::size_t>(out.n)};
    }
    template <class T> span<T> values(const context &ctx = context()) const
    {
        return array<T>(-1, "values", ctx);
    }
    tensor convert(const std::string &format, const context &ctx = context()) const
    {
        auto o = detail::sized<tessera_convert_options>();
        o.format = detail::given(format);
        return convert(o, ctx);
    }
    tensor convert(const tessera_convert_options &options, const context &ctx = context()) const
    {
        tessera_tensor *out = nullptr;
        ctx.check(tessera_convert(&out, t_, &options, ctx.get()));
        return tensor(out);
    }
    /* The slices at these coordinates of the mode, in this order (tessera_gather). */
    tensor gather(int mode, const std::vector<std::uint64_t> &index, const context &ctx = context()) const
    {
        tessera_array list = {};
        list.data = const_cast<std::uint64_t *>(index.data());
        list.n = index.size();
        list.type = TESSERA_U64;
        tessera_tensor *out = nullptr;
        ctx.check(tessera_gather(&out, t_, mode, &list, ctx.get()));
        return tensor(out);
    }
    void write(const std::string &path, const context &ctx = context()) const
    {
        ctx.check(tessera_write(path.c_str(), t_, nullptr, ctx.get()));
    }
    // The name's suffix, "x.mtx", tells the kind of file.
    void write(std::ostream &to, const std::string &name, const context &ctx = context()) const
    {
        auto sink = detail::sized<tessera_sink>();
        sink.user = &to;
        sink.name = name.c_str();
        sink.write = [](void *user, const void *bytes, std::size_t nbytes) -> int {
            try {
                auto &out = *static_cast<std::ostream *>(user);
                return out.write(static_cast<const char *>(bytes), static_cast<std::streamsize>(nbytes)) ? 0 : -1;
            } catch (...) {
                return -1;
            }
        };
        ctx.check(tessera_write_sink(&sink, t_, nullptr, ctx.get()));
    }
    void check(const context &ctx = context()) const { ctx.check(tessera_tensor_check(t_, ctx.get())); }
    std::string info(const context &ctx = context()) const
    {
        char *json = nullptr;
        ctx.check(tessera_tensor_info(&json, t_, nullptr, ctx.get()));
        return detail::take(json);
    }
    // The format that serves the kernels ("mttkrp,spmv" or an expression) so many times: see tessera_advise. nruns 0: unknown.
    std::string advise(const std::string &kernels, double nruns = 0, const context &ctx = context()) const
    {
        auto o = detail::sized<tessera_advise_options>();
        o.kernels = kernels.c_str();
        o.nruns = nruns;
        char *format = nullptr;
        ctx.check(tessera_advise(&format, nullptr, t_, &o, ctx.get()));
        return detail::take(format);
    }

  private:
    template <class T> static bool fits(tessera_type type)
    {
        const auto index = [](tessera_type t) { return t >= TESSERA_I8 && t <= TESSERA_U64; };
        return type == type_of<T>::value ||
               (index(type) && index(type_of<T>::value) && tessera_type_nbytes(type) == sizeof(T));
    }
    tessera_tensor *t_ = nullptr;
};

// Read a file; format "": the one of the file.
inline tensor read(const std::string &path, const std::string &format = "", const context &ctx = context())
{
    auto o = detail::sized<tessera_read_options>();
    o.format = detail::given(format);
    tessera_tensor *out = nullptr;
    ctx.check(tessera_read(&out, path.c_str(), &o, ctx.get()));
    return tensor(out);
}
inline tensor read(const std::string &path, const tessera_read_options &options,
                   const context &ctx = context())
{
    tessera_tensor *out = nullptr;
    ctx.check(tessera_read(&out, path.c_str(), &options, ctx.get()));
    return tensor(out);
}
// From file to file as tconv does; memory_nbytes: the memory that this may take, 0: what the machine has left.
inline void convert_file(const std::string &out, const std::string &in, const std::string &format = "",
                         std::uint64_t memory_nbytes = 0, const context &ctx = context())
{
    auto o = detail::sized<tessera_read_options>();
    o.format = detail::given(format);
    o.memory_nbytes = memory_nbytes;
    ctx.check(tessera_convert_file(out.c_str(), in.c_str(), &o, nullptr, ctx.get()));
}
// With the options of the call in C: shards, temporary files that stay...
inline void convert_file(const std::string &out, const std::string &in, const tessera_read_options &read,
                         const context &ctx = context())
{
    ctx.check(tessera_convert_file(out.c_str(), in.c_str(), &read, nullptr, ctx.get()));
}
// The bytes of a file in memory.
inline tensor read_memory(const void *bytes, std::size_t nbytes, const std::string &format = "",
                          const context &ctx = context())
{
    auto o = detail::sized<tessera_read_options>();
    auto source = detail::sized<tessera_source>();
    o.format = detail::given(format);
    source.data = bytes;
    source.nbytes = nbytes;
    tessera_tensor *out = nullptr;
    ctx.check(tessera_read_source(&out, &source, &o, ctx.get()));
    return tensor(out);
}
// What the stream gives up to its end.
inline tensor read(std::istream &from, const std::string &format = "", const context &ctx = context())
{
    auto o = detail::sized<tessera_read_options>();
    auto source = detail::sized<tessera_source>();
    o.format = detail::given(format);
    source.user = &from;
    source.read = [](void *user, std::uint64_t, void *to, std::size_t room) -> std::int64_t {
        try {
            auto &in = *static_cast<std::istream *>(user);
            in.read(static_cast<char *>(to), static_cast<std::streamsize>(room));
            return in.bad() ? -1 : in.gcount();
        } catch (...) {
            return -1;
        }
    };
    tessera_tensor *out = nullptr;
    ctx.check(tessera_read_source(&out, &source, &o, ctx.get()));
    return tensor(out);
}
// Facts about a file as JSON; brief: of its headers alone.
inline std::string info(const std::string &path, bool brief = false, const context &ctx = context())
{
    auto o = detail::sized<tessera_info_options>();
    o.brief = brief;
    char *json = nullptr;
    ctx.check(tessera_info(&json, path.c_str(), &o, ctx.get()));
    return detail::take(json);
}

// A tensor of the caller's arrays, which must stay in place as long as the tensor: see tessera_borrow.
inline tensor borrow(const std::string &format, const std::vector<std::uint64_t> &dims,
                     const std::vector<tessera_array> &arrays, const context &ctx = context())
{
    auto p = detail::sized<tessera_parts>();
    p.format = format.c_str();
    p.order = static_cast<int>(dims.size());
    p.dims = dims.data();
    p.arrays = arrays.data();
    p.narrays = static_cast<int>(arrays.size());
    tessera_tensor *out = nullptr;
    ctx.check(tessera_borrow(&out, &p, ctx.get()));
    return tensor(out);
}
// The description of an array for `borrow`: any container with data() and size().
template <class Container> tessera_array array_of(Container &c)
{
    using element =
        typename std::remove_const<typename std::remove_reference<decltype(*c.data())>::type>::type;
    tessera_array out{};
    out.data = const_cast<element *>(c.data());
    out.n = c.size();
    out.type = type_of<element>::value;
    out.level = -1;
    return out;
}
// A dense tensor of the caller's memory, row-major; without dims a vector. The memory must outlive the tensor.
template <class Container>
tensor view(Container &c, const std::vector<std::uint64_t> &dims = {}, const context &ctx = context())
{
    const tessera_array array = array_of(c);
    auto p = detail::sized<tessera_dense_parts>();
    p.order = dims.empty() ? 1 : static_cast<int>(dims.size());
    p.dims = dims.empty() ? &array.n : dims.data();
    p.type = array.type;
    p.data = array.data;
    std::uint64_t n = 1;
    for (int m = 0; m < p.order; m++)
        n *= p.dims[m];
    if (n != array.n)
        throw error(TESSERA_ARGUMENT, "the dims have " + std::to_string(n) + " cells, but there are " +
                                          std::to_string(array.n) + " elements");
    tessera_tensor *out = nullptr;
    ctx.check(tessera_borrow_dense(&out, &p, ctx.get()));
    return tensor(out);
}

// Entries that come in any order, a few at a time, from any number of threads: see tessera_builder. A dim of 0 becomes the largest coordinate + 1.
class builder
{
  public:
    explicit builder(const std::vector<std::uint64_t> &dims, tessera_type type = TESSERA_F64,
                     std::uint64_t memory_nbytes = 0, const context &ctx = context())
        : order_(dims.size()), b_(nullptr, tessera_builder_free)
    {
        auto o = detail::sized<tessera_builder_options>();
        o.memory_nbytes = memory_nbytes;
        tessera_builder *out = nullptr;
        ctx.check(tessera_builder_new(&out, static_cast<int>(dims.size()), dims.data(), type, &o, ctx.get()));
        b_.reset(out);
    }
    tessera_builder *get() const noexcept { return b_.get(); }
    std::size_t order() const noexcept { return order_; }
    std::uint64_t nentries() const noexcept { return tessera_builder_nentries(b_.get()); }
    std::uint64_t nbytes() const noexcept { return tessera_builder_nbytes(b_.get()); }
    std::uint64_t spilled_nbytes() const noexcept { return tessera_builder_spilled_nbytes(b_.get()); }
    void clear() noexcept { tessera_builder_clear(b_.get()); }
    // An array of coordinates for each mode (array_of), and one of values.
    void add(const std::vector<tessera_array> &crd, const tessera_array &values, std::uint64_t piece = 0,
             const context &ctx = context())
    {
        if (crd.size() != order_)
            throw error(TESSERA_ARGUMENT, std::to_string(crd.size()) +
                                              " arrays of coordinates for a builder of " +
                                              std::to_string(order_) + " modes");
        ctx.check(tessera_builder_add(b_.get(), piece, crd.data(), &values, ctx.get()));
    }
    tensor finish(const std::string &format = "", tessera_duplicates duplicates = TESSERA_SUM,
                  bool keep = false, const context &ctx = context())
    {
        const auto o = options(format, duplicates);
        tessera_tensor *out = nullptr;
        ctx.check(tessera_builder_finish(&out, b_.get(), keep, &o, ctx.get()));
        return tensor(out);
    }
    void finish_file(const std::string &path, const std::string &format = "",
                     tessera_duplicates duplicates = TESSERA_SUM, bool keep = false,
                     const context &ctx = context())
    {
        const auto o = options(format, duplicates);
        ctx.check(tessera_builder_finish_file(path.c_str(), b_.get(), keep, &o, nullptr, ctx.get()));
    }

  private:
    static tessera_pack_options options(const std::string &format, tessera_duplicates duplicates)
    {
        auto o = detail::sized<tessera_pack_options>();
        o.format = detail::given(format);
        o.duplicates = duplicates;
        return o;
    }
    std::size_t order_;
    std::unique_ptr<tessera_builder, void (*)(tessera_builder *)> b_;
};

// Adds single entries for one thread, some hundreds at a time: `adder<double> add(b); add(i, j, 1.5); add.flush();`. The destructor adds what is left, without
// an error that can be seen: call flush().
template <class T> class adder
{
  public:
    explicit adder(builder &b, std::uint64_t piece = 0) : b_(b), piece_(piece), crd_(b.order()), ctx_()
    {
        for (auto &c : crd_)
            c.reserve(most);
        values_.reserve(most);
    }
    adder(const adder &) = delete;
    adder &operator=(const adder &) = delete;
    ~adder()
    {
        try {
            flush();
        } catch (...) {
        }
    }
    // As many coordinates as the builder has modes, and a value.
    template <class I> void operator()(I i, T value) { put({static_cast<std::uint64_t>(i)}, value); }
    template <class I, class J> void operator()(I i, J j, T value)
    {
        put({static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)}, value);
    }
    template <class I, class J, class K> void operator()(I i, J j, K k, T value)
    {
        put({static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(k)},
            value);
    }
    void put(std::initializer_list<std::uint64_t> crd, T value)
    {
        if (crd.size() != crd_.size())
            throw error(TESSERA_ARGUMENT, std::to_string(crd.size()) + " coordinates for a builder of " +
                                              std::to_string(crd_.size()) + " modes");
        auto at = crd_.begin();
        for (const std::uint64_t c : crd)
            (at++)->push_back(c);
        values_.push_back(value);
        if (values_.size() == most)
            flush();
    }
    // Entries that are refused are forgotten.
    void flush()
    {
        std::vector<tessera_array> arrays;
        for (auto &c : crd_)
            arrays.push_back(array_of(c));
        const tessera_array values = array_of(values_);
        const auto forget = [this] {
            for (auto &c : crd_)
                c.clear();
            values_.clear();
        };
        try {
            if (!values_.empty())
                b_.add(arrays, values, piece_, ctx_);
        } catch (...) {
            forget();
            throw;
        }
        forget();
    }

  private:
    static constexpr std::size_t most = 512;
    builder &b_;
    std::uint64_t piece_;
    std::vector<std::vector<std::uint64_t>> crd_;
    std::vector<T> values_;
    context ctx_;
};

// An expression that runs on tensors of any formats and sizes.
class kernel
{
  public:
    explicit kernel(const std::string &expression, const context &ctx = context())
        : kernel(expression, detail::sized<tessera_kernel_options>(), ctx)
    {
    }
    kernel(const std::string &expression, const tessera_kernel_options &options,
           const context &ctx = context())
    {
        tessera_kernel *out = nullptr;
        ctx.check(tessera_kernel_new(&out, expression.c_str(), &options, ctx.get()));
        k_.reset(out);
    }
    // The kernel of subscripts such as "ij,j->i".
    static kernel einsum(const std::string &subscripts, const context &ctx = context())
    {
        kernel k;
        tessera_kernel *out = nullptr;
        ctx.check(tessera_einsum(&out, subscripts.c_str(), nullptr, ctx.get()));
        k.k_.reset(out);
        return k;
    }
    // The statements of the gradient of an expression with respect to an operand.
    static std::string gradient(const std::string &expression, const std::string &operand,
                                const context &ctx = context())
    {
        char *text = nullptr;
        ctx.check(tessera_gradient(&text, expression.c_str(), operand.c_str(), ctx.get()));
        const std::string copy = text;
        tessera_text_free(text);
        return copy;
    }
    tessera_kernel *get() const noexcept { return k_.get(); }
    std::string expression() const { return tessera_kernel_expression(k_.get()); }
    int nlowered() const noexcept { return tessera_kernel_nlowered(k_.get()); }

    // The operands stand in the order of their first use in the expression.
    tensor operator()(std::initializer_list<tensor> operands, const context &ctx = context()) const
    {
        tessera_tensor *out = nullptr;
        ctx.check(tessera_kernel_call(&out, k_.get(), handles(operands).data(), ctx.get()));
        return tensor(out);
    }
    // An operand in a file that need not fit memory: an empty tensor() stands in its place. options.memory_nbytes limits the call.
    tensor call_file(std::initializer_list<tensor> operands, const std::string &path,
                     const tessera_read_options *options = nullptr, const context &ctx = context()) const
    {
        tessera_tensor *out = nullptr;
        ctx.check(tessera_kernel_call_file(&out, k_.get(), handles(operands).data(), path.c_str(), options, ctx.get()));
        return tensor(out);
    }
    void run(const tensor &result, std::initializer_list<tensor> operands,
             const context &ctx = context()) const
    {
        ctx.check(tessera_kernel_run(k_.get(), result.get(), handles(operands).data(), ctx.get()));
    }
    // The number of entries of a sparse result, by blocks of rows: the whole result is never in memory.
    std::uint64_t nnz(std::initializer_list<tensor> operands, const context &ctx = context()) const
    {
        std::uint64_t n = 0;
        ctx.check(tessera_kernel_nnz(&n, k_.get(), handles(operands).data(), ctx.get()));
        return n;
    }
    // assemble: a result with all entries, each with the value 0. compute: set the values of these entries, as often as
    // the operands change.
    tensor assemble(std::initializer_list<tensor> operands, const context &ctx = context()) const
    {
        tessera_tensor *out = nullptr;
        ctx.check(tessera_kernel_assemble(&out, k_.get(), handles(operands).data(), ctx.get()));
        return tensor(out);
    }
    void compute(const tensor &result, std::initializer_list<tensor> operands,
                 const context &ctx = context()) const
    {
        ctx.check(tessera_kernel_compute(k_.get(), result.get(), handles(operands).data(), ctx.get()));
    }
    std::string print(tessera_kernel_text what, std::initializer_list<tensor> operands,
                      const context &ctx = context()) const
    {
        char *text = nullptr;
        ctx.check(tessera_kernel_print(&text, k_.get(), what, handles(operands).data(), ctx.get()));
        return detail::take(text);
    }

  private:
    kernel() = default;
    std::vector<const tessera_tensor *> handles(std::initializer_list<tensor> operands) const
    {
        const int wanted = tessera_kernel_ntensors(k_.get()) - 1;
        if (static_cast<int>(operands.size()) != wanted)
            throw error(TESSERA_ARGUMENT, expression() + " has " + std::to_string(wanted) +
                                              " operands, but " + std::to_string(operands.size()) +
                                              " are given");
        std::vector<const tessera_tensor *> all;
        for (const tensor &t : operands)
            all.push_back(t.get());
        all.push_back(nullptr); // data() of an empty vector may be NULL
        return all;
    }
    struct deleter {
        void operator()(tessera_kernel *k) const noexcept { tessera_kernel_free(k); }
    };
    std::unique_ptr<tessera_kernel, deleter> k_;
};

// A layout of a dense array: coordinates to offsets.
class layout
{
  public:
    explicit layout(const std::string &text, const context &ctx = context())
    {
        tessera_layout *out = nullptr;
        ctx.check(tessera_layout_parse(&out, text.c_str(), 0, nullptr, ctx.get()));
        l_.reset(out);
    }
    tessera_layout *get() const noexcept { return l_.get(); }
    int rank() const noexcept { return tessera_layout_rank(l_.get()); }
    std::int64_t span() const noexcept { return tessera_layout_span(l_.get()); }
    std::int64_t operator()(const std::vector<std::int64_t> &coord, const context &ctx = context()) const
    {
        if (static_cast<int>(coord.size()) != rank())
            throw error(TESSERA_ARGUMENT, std::to_string(coord.size()) + " coordinates for a layout with " +
                                              std::to_string(rank()) + " dims");
        std::int64_t offset = 0;
        ctx.check(tessera_layout_offset(&offset, l_.get(), coord.data(), ctx.get()));
        return offset;
    }
    // The text in a notation: "xla", "tla", "cute", "map", "format"; "": its own.
    std::string print(const std::string &notation = "", const context &ctx = context()) const
    {
        char *text = nullptr;
        ctx.check(tessera_layout_print(&text, l_.get(), detail::given(notation), ctx.get()));
        return detail::take(text);
    }

  private:
    struct deleter {
        void operator()(tessera_layout *l) const noexcept { tessera_layout_free(l); }
    };
    std::unique_ptr<tessera_layout, deleter> l_;
};

} // namespace tessera

#endif
