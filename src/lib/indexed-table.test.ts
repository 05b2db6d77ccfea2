import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IndexedTable } from './indexed-table.ts'

type Book = { id: number; author: string | null; tags: string[] }

function library() {
  const books = new IndexedTable<Book>('book', (book) => book.id)
  const byAuthor = books.uniqueIndex((book) => book.author)
  const byTag = books.index((book) => book.tags)
  return { books, byAuthor, byTag }
}

describe('IndexedTable', () => {
  test('finds rows by key and by every index', () => {
    const { books, byAuthor, byTag } = library()
    const middlemarch = { id: 1, author: 'Eliot', tags: ['novel', 'long'] }
    books.put(middlemarch)
    expect(books.get(1)).toBe(middlemarch)
    expect(byAuthor('Eliot')).toBe(middlemarch)
    expect([...byTag('novel')]).toEqual([middlemarch])
    expect([...byTag('long')]).toEqual([middlemarch])
    expect(byTag('short').size).toBe(0)
  })

  test('says whether anything has changed under one key', () => {
    const { books, byTag } = library()
    const versions = () => [byTag('novel').version, byTag('long').version]
    const seen = [versions()]
    books.put({ id: 1, author: 'Eliot', tags: ['novel'] })
    seen.push(versions())
    books.put({ id: 1, author: 'Evans', tags: ['novel', 'novel'] })
    seen.push(versions())
    books.delete(1)
    seen.push(versions())
    books.put({ id: 1, author: 'Eliot', tags: ['novel'] })
    seen.push(versions())
    expect(new Set(seen.map(([novel]) => novel)).size).toBe(4) // nothing, twice
    expect(new Set(seen.map(([, long]) => long)).size).toBe(1)
  })

  test('leaves a row out of an index that has no key for it', () => {
    const { books, byAuthor } = library()
    books.put({ id: 1, author: null, tags: [] })
    expect(books.size).toBe(1)
    expect(byAuthor('null')).toBeUndefined()
  })

  test('moves a row to its new places when it is put again', () => {
    const { books, byAuthor, byTag } = library()
    books.put({ id: 1, author: 'Bell', tags: ['novel'] })
    books.put({ id: 1, author: 'Brontë', tags: ['classic'] })
    expect(books.size).toBe(1)
    expect(byAuthor('Bell')).toBeUndefined()
    expect(byAuthor('Brontë')?.id).toBe(1)
    expect(byTag('novel').size).toBe(0)
  })

  test('is as if a deleted row had never been', () => {
    const { books, byAuthor } = library()
    books.put({ id: 1, author: 'Eliot', tags: ['novel'] })
    books.delete(1)
    books.delete(1)
    expect(books.get(1)).toBeUndefined()
    expect(byAuthor('Eliot')).toBeUndefined()
    expect(books.size).toBe(0)
  })

  test('agrees with a look through all rows, whatever was done', () => {
    const book = fc.record({
      id: fc.nat(5),
      author: fc.constantFrom('a', 'b', null),
      tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
    })
    const step = fc.oneof(
      book,
      fc.nat(5).map((id) => ({ remove: id })),
    )
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { books, byTag } = library()
        for (const step of steps) {
          if ('remove' in step) books.delete(step.remove)
          else books.put(step)
        }
        for (const tag of ['x', 'y', 'z']) {
          const expected = [...books.values()].filter((book) => book.tags.includes(tag))
          expect(new Set(byTag(tag))).toEqual(new Set(expected))
        }
      }),
    )
  })

  test('a layer shows the rows beneath with its own changes, and leaves them as they are', () => {
    const book = fc.record({
      id: fc.nat(5),
      author: fc.constant(null),
      tags: fc.uniqueArray(fc.constantFrom('x', 'y')),
    })
    const step = fc.oneof(
      book,
      fc.nat(5).map((id) => ({ remove: id })),
    )
    const apply = (books: IndexedTable<Book>, steps: (Book | { remove: number })[]) => {
      for (const step of steps) 'remove' in step ? books.delete(step.remove) : books.put(step)
    }
    const byId = (books: Iterable<Book>) => [...books].sort((a, b) => a.id - b.id)
    fc.assert(
      fc.property(fc.array(step), fc.array(step), (first, second) => {
        const { books, byTag } = library()
        apply(books, first)
        const [beneath, tagged] = [byId(books.values()), byId(byTag('x'))]
        const layer = new IndexedTable<Book>('book', (book) => book.id, books)
        layer.uniqueIndex((book) => book.author)
        const layerByTag = layer.index((book) => book.tags)
        const flat = library()
        apply(flat.books, [...first, ...second])
        for (const one of second) {
          apply(layer, [one])
          layerByTag('x') // the cached rows must not become stale
        }
        expect(byId(layer.values())).toEqual(byId(flat.books.values()))
        expect(layer.size).toBe(flat.books.size)
        for (const tag of ['x', 'y']) expect(byId(layerByTag(tag))).toEqual(byId(flat.byTag(tag)))
        expect([byId(books.values()), byId(byTag('x'))]).toEqual([beneath, tagged])
      }),
    )
  })
})
