import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IndexedTable } from './indexed-table.ts'

type Book = { id: number; author: string | null; tags: string[] }

function library() {
  const books = new IndexedTable<Book>('book', ['id'])
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
        const layer = new IndexedTable<Book>('book', ['id'], books)
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

  describe('with a key of two columns', () => {
    type Loan = { reader: number; book: number; shelf: string }

    function loans(base?: IndexedTable<Loan, [number, number]>) {
      const loans = new IndexedTable<Loan, [number, number]>('loan', ['reader', 'book'], base)
      const ofReader = loans.byFirst()
      const ofBook = loans.index((loan) => loan.book)
      const onShelf = loans.index((loan) => loan.shelf)
      return { loans, ofReader, ofBook, onShelf }
    }

    type Loans = ReturnType<typeof loans>

    const loan = fc.record({ reader: fc.nat(4), book: fc.nat(4), shelf: fc.constantFrom('a', 'b') })
    const step = fc.record({ loan, isReturned: fc.boolean() })
    type Step = { loan: Loan; isReturned: boolean }

    function apply(table: IndexedTable<Loan, [number, number]>, steps: Step[]) {
      for (const { loan, isReturned } of steps) {
        if (isReturned) table.delete(loan.reader, loan.book)
        else table.put(loan)
      }
    }

    /** What must be there after these steps, in order. */
    function expectedAfter(steps: Step[]): Loan[] {
      const rows = new Map<string, Loan>()
      for (const { loan, isReturned } of steps) {
        if (isReturned) rows.delete(`${loan.reader}:${loan.book}`)
        else rows.set(`${loan.reader}:${loan.book}`, loan)
      }
      return inOrder(rows.values())
    }

    function inOrder(rows: Iterable<Loan>) {
      return [...rows].sort((a, b) => a.reader - b.reader || a.book - b.book)
    }

    function expectRows({ loans, ofReader, ofBook, onShelf }: Loans, rows: Loan[]) {
      expect(inOrder(loans.values())).toEqual(rows)
      expect(loans.size).toBe(rows.length)
      for (const n of [0, 1, 2, 3, 4]) {
        expect(inOrder(ofReader(n))).toEqual(rows.filter((loan) => loan.reader === n))
        expect(ofReader(n).size).toBe(rows.filter((loan) => loan.reader === n).length)
        expect(inOrder(ofBook(n))).toEqual(rows.filter((loan) => loan.book === n))
        expect(loans.get(n, 2)).toEqual(rows.find((loan) => loan.reader === n && loan.book === 2))
      }
      expect(inOrder(onShelf('a'))).toEqual(rows.filter((loan) => loan.shelf === 'a'))
    }

    test('agrees with a list of all rows, also through a layer', () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 40 }), fc.array(step), (first, second) => {
          const table = loans()
          apply(table.loans, first)
          expectRows(table, expectedAfter(first))
          const layer = loans(table.loans)
          for (const one of second) {
            apply(layer.loans, [one])
            layer.onShelf('a') // the cached rows must not become stale
          }
          expectRows(layer, expectedAfter([...first, ...second]))
          expectRows(table, expectedAfter(first))
        }),
      )
    })

    test('is the same if its rows are appended in order', () => {
      fc.assert(
        fc.property(fc.array(step), fc.array(step), (first, second) => {
          const table = loans()
          for (const row of expectedAfter(first)) table.loans.append(row)
          expectRows(table, expectedAfter(first))
          apply(table.loans, second)
          expectRows(table, expectedAfter([...first, ...second]))
        }),
      )
    })

    test('says whether anything has changed in one group', () => {
      const { loans: table, ofReader, ofBook } = loans()
      const versions = () => [ofReader(1).version, ofReader(2).version, ofBook(7).version]
      table.put({ reader: 1, book: 7, shelf: 'a' })
      table.put({ reader: 2, book: 7, shelf: 'a' })
      const before = versions()
      table.put({ reader: 1, book: 7, shelf: 'b' })
      const [one, other, book] = versions()
      expect(one).not.toBe(before[0])
      expect(other).toBe(before[1])
      expect(book).not.toBe(before[2])
    })
  })
})
