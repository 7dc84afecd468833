/** The system's own library of C. Found by this name with musl too, which takes every `libc.…` for itself. */
export const LIBC = 'libc.so.6';
