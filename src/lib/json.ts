/** A value that JSON can hold: it is the same after it was written and read again, except that undefined fields are left out. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export type JsonObject = { readonly [name: string]: Json | undefined }

/** Returns the value of a JSON text; undefined if the text is not JSON. */
export function jsonIn(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
