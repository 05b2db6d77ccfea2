import { expect, test } from 'vitest'
import { newText } from './new-text.ts'

test.each([
  [
    'a reply above the quote',
    'Yes.\n\nOn Mon, 1 Jun 2026 at 10:00, Anna wrote:\n> Coming?\n>\n> Anna\n',
    'Yes.',
  ],
  [
    'an attribution of two lines',
    'Ja.\n\nAm 01.06.26 um 10:00 schrieb Anna\n<anna@example.org>:\n> Kommst du?',
    'Ja.',
  ],
  ['a reply below the quote', 'On Monday Anna wrote:\n> Coming?\n\nYes.\n', 'Yes.'],
  ['a reply between quotes', 'Anna wrote:\n> One?\n\nYes.\n\n> Two?\n\nNo.', 'Yes.\n\n> Two?\n\nNo.'],
  ['a signature', 'Yes.\n\n-- \nBen\n+49 30 1', 'Yes.'],
  ['a signature of a device', 'Yes.\n\nSent from my iPhone', 'Yes.'],
  [
    'the headers of Outlook',
    'Yes.\n\nVon: Anna\nGesendet: Montag\nAn: Ben\nBetreff: Boot\n\nKommst du?',
    'Yes.',
  ],
  ['a divider', 'Yes.\n\n-----Original Message-----\nFrom: Anna', 'Yes.'],
  [
    'the line above the headers of Outlook',
    'Yes.\n\n________________________________\nFrom: Anna\nSent: Monday\nTo: Ben\nSubject: Boat\n\nComing?',
    'Yes.',
  ],
  [
    'an earlier mail without signs of quotation',
    'Yes.\n\n    On Monday, June 1, 2026, Anna <a@example.org> wrote:  \n \n Coming?\n Anna',
    'Yes.',
  ],
  [
    'an earlier mail behind dashes',
    'Yes.\n\n---- On Mon, 01 Jun 2026 10:00 Anna <a@example.org> wrote ----\n\nComing?',
    'Yes.',
  ],
  [
    'an earlier mail in German without signs of quotation',
    'Ja.\n\nAm Montag schrieb Anna <a@example.org>:\n\nKommst du?',
    'Ja.',
  ],
  ['a wide colon', '好。\n\nAnna <a@example.org> 于2026年6月1日 10:00写道：\n\n> Coming?', '好。'],
  [
    'a reply below a quote with an address',
    'On Monday, Anna <a@example.org> wrote:\n\n> Coming?\n\nYes.',
    'Yes.',
  ],
  ['a line of underscores between words', 'One\n\n_____\n\nTwo', 'One\n\n_____\n\nTwo'],
  ['no quote', 'Look:\n\n1. one\n2. two: three', 'Look:\n\n1. one\n2. two: three'],
  ['a list that ends with a quote', 'He said:\n> Coming?', 'He said:'],
  ['a paragraph that only looks like headers', 'From: here\nto there', 'From: here\nto there'],
  ['nothing but a quote', '> Coming?\n', ''],
])('takes what is new: %s', (_, text, own) => {
  expect(newText(text)).toBe(own)
})

test('takes no longer than the text is long', () => {
  const lines = ['> a', 'b:', '', 'On 1 wrote:', 'From: x', '-----']
  for (const text of lines.map((line) => `${line}\n`.repeat(20_000))) {
    expect(newText(text).length).toBeLessThanOrEqual(text.length)
  }
})
