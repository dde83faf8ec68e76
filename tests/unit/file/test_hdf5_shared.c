/* Datasets whose datatype was committed to the file, so that it has an object header of its own. HDF5 decodes that header, too: a
 * damaged one was decoded without a check, and one that referred to itself ended the process. */
#include "bsp_support.h"

#include "hdf5_internal.h"
#include "tsr_alloc.h"

enum {
    ADDRESS = 8,
    PREFIX = 16,
    HEAD = 8
}; /* bytes: an address, the begin of an object header, and of its message */

/* A 3 x 4 matrix by rows whose array of columns has a committed type; returns the address of the type. */
static uint64_t make_file(const char *path)
{
    const uint64_t dims[2] = {3, 4};
    const int32_t columns[3] = {1, 0, 2};
    const hsize_t n = 3;
    tsr_coo *const coo = bsp_coo(2, dims, TSR_F64, "0 1 1  2 0 2  2 2 3");
    tsr_tensor *const tensor = bsp_pack("ds", coo, 0);
    remove(path);
    bsp_write(path, tensor, 0, 1);
    tsr_tensor_free(tensor);
    tsr_coo_free(coo);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_STD_I32LE),
                space = H5Screate_simple(1, &n, NULL);
    assert_true(H5Ldelete(file, "indices_1", H5P_DEFAULT) >= 0);
    assert_true(H5Tcommit2(file, "kind", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    const hid_t d = H5Dcreate2(file, "indices_1", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(d, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, columns) >= 0);
    tsr_hdf5_link info;
    assert_true(tsr_hdf5_link_info(file, "kind", &info, H5P_DEFAULT) >= 0);
    H5Dclose(d);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
    return info.u.address;
}

static void put_address(unsigned char *p, uint64_t at)
{
    for (int i = 0; i < ADDRESS; i++)
        p[i] = (unsigned char)(at >> 8 * i);
}

/* The message of the dataset: a version, a place, the address of the type. */
static unsigned char *find_reference(unsigned char *bytes, size_t n, uint64_t type)
{
    unsigned char wanted[ADDRESS];
    put_address(wanted, type);
    for (size_t i = 2; i + ADDRESS <= n; i++) /* an entry of the group has the address, too, after a number */
        if (memcmp(bytes + i, wanted, ADDRESS) == 0 && bytes[i - 2] >= 2 && bytes[i - 2] <= 3 &&
            bytes[i - 1] <= 2)
            return bytes + i - 2;
    fail_msg("the dataset does not refer to the type");
    return NULL;
}

typedef enum fault { NONE, BEYOND, NO_HEADER, IN_HEAP, OF_SPACE, NO_VERSION, NO_SIZE, MEMBERS, ITSELF } fault;

static void damage(unsigned char *bytes, size_t n, uint64_t type, fault what)
{
    unsigned char *const reference = find_reference(bytes, n, type);
    unsigned char *const head = bytes + type + PREFIX, *const message = head + HEAD;
    assert_int_equal(head[0], 3); /* a datatype */
    assert_int_equal(head[4] & 2, 0);
    if (what == BEYOND)
        put_address(reference + 2, n + 100);
    else if (what == NO_HEADER)
        put_address(reference + 2, n - 64 - n % 8);
    else if (what == IN_HEAP) {
        reference[0] = 3;
        reference[1] = 1;
    } else if (what == OF_SPACE)
        reference[-HEAD] = 1;
    else if (what == NO_VERSION)
        reference[0] = 9;
    else if (what == NO_SIZE)
        memset(message + 4, 0, 4);
    else if (what == MEMBERS) { /* a compound type of 65535 members */
        message[0] = 0x16;
        message[1] = message[2] = 0xff;
    } else if (what == ITSELF) {
        head[4] = 2;
        memcpy(message, (const unsigned char[]){3, 2}, 2);
        put_address(message + 2, type);
    }
}

static void test_committed_types(void **state)
{
    (void)state;
    static const struct {
        fault what;
        tsr_status status;
        const char *words;
    } faults[] = {
        {NONE, TSR_OK, ""},
        {BEYOND, TSR_CORRUPT, "damaged file: an object header is beyond the end of the file"},
        {NO_HEADER, TSR_CORRUPT, "damaged file: an object header has an unknown version"},
        {IN_HEAP, TSR_UNSUPPORTED,
         "the file shares messages of object headers in a heap, which is not read: copy the objects into a "
         "file without shared messages"},
        {OF_SPACE, TSR_CORRUPT,
         "damaged file: a shared message of an object header does not refer to a datatype"},
        {NO_VERSION, TSR_CORRUPT,
         "damaged file: a shared message of an object header does not refer to a datatype"},
        {NO_SIZE, TSR_CORRUPT, "damaged file: a message of an object header does not fit its length"},
        {MEMBERS, TSR_CORRUPT, "damaged file: a message of an object header does not fit its length"},
        {ITSELF, TSR_CORRUPT,
         "damaged file: a shared message of an object header does not refer to a datatype"},
    };
    const char *const path = tsr_test_path(tsr_test_tmp(), "shared.h5");
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const uint64_t type = make_file(path);
        size_t n;
        char *const bytes = tsr_test_slurp(path, &n);
        damage((unsigned char *)bytes, n, type, faults[i].what);
        tsr_test_spit(path, bytes, n);
        free(bytes);
        const int64_t live = tsr_alloc_live();
        tsr_data data;
        tsr_error e = {0};
        const tsr_status status = tsr_codec_binsparse.read(&data, path, NULL, &e);
        if (status != faults[i].status || strcmp(e.message, faults[i].words) != 0)
            fail_msg("fault %d: %s: %s", (int)faults[i].what, tsr_status_words(status), e.message);
        tsr_data_clear(&data);
        assert_int_equal(tsr_alloc_live(), live);
    }
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_committed_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
