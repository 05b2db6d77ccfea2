import { expect, test } from 'vitest'
import { avoidedWords } from './words.ts'

test.each([
  ['/** Calls whoever\n * asks. */', ['1: whoever']],
  ["f('x')\n  // One for all,\n  // at\n  // once.", ['3: at once']],
  ["throw new Error('Somebody was faster')", ['1: Somebody']],
  ['const somebodyElse = 1', ['1: somebody']],
  ['-- A row, what is sealed\n-- for it is a secret.', ['1: what is sealed for it is']],
  ['/** What is not allowed is not there. */', ['1: What is not allowed is']],
  ['An e-mail, E-MAIL', ['1: e-mail', '1: E-MAIL']],
  ["import { queueMail } from './queue-mail.ts' // Die E-Mail", []],
  ['Says what is missing. It is read.', []],
  ["Look after anyone's mail once", []],
])('words that make a text hard to read are found in %j', (text, found) => {
  expect(avoidedWords(text).map(({ word, line }) => `${line}: ${word}`)).toEqual(found)
})
