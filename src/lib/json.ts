/** A value that is the same after it has been written as JSON and read again, but for undefined fields, which are left out. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export type JsonObject = { readonly [name: string]: Json | undefined }

/** Returns the value that a text has in JSON; undefined if it is none. */
export function jsonIn(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
