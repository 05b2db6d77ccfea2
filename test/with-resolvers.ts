/** A promise and what resolves it, as Node 22 has it in `Promise`. */
export function withResolvers() {
  let resolve!: () => void
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
