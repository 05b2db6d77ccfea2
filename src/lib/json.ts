/** A value that is the same after it has been written as JSON and read again, but for undefined fields, which are left out. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export type JsonObject = { readonly [name: string]: Json | undefined }
