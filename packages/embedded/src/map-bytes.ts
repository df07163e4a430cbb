/**
 * The address space that LMDB's file is mapped into, of which only pages that were read take memory. A file that
 * outgrows its map is mapped once more, at twice the size, and the maps before stay: a database that begins small would
 * have its pages resident several times over.
 */
export const MAP_BYTES = 16 * 1024 ** 3;
