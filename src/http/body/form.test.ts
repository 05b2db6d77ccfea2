import { expect, test } from 'vitest'
import { parseForm } from './form.ts'

const odd = [
  '',
  'a=1&b=2',
  'a=1&a=2&b=3',
  '&&a=1&&',
  'a&b=&=c&=',
  'a=b=c&d==',
  'a+b=c+d&e=%2B%20+',
  'a=%&b=%4&c=%zz&d=%%41&e=%4g',
  'a=%C3%A9&b=%F0%9F%98%80&c=é😀+é',
  'a=%C3&b=%ff%fe&c=%ED%A0%80&d=%EF%BB%BFx',
  '%61%3D=1&%26=2',
  'a=%00&b=\u0000',
]

test.each(odd)('a form is read by the standard: %j', (form) => {
  expect([...parseForm(form)]).toEqual([...new Map(new URLSearchParams(form))])
})

test('so is any form', () => {
  const pieces = ['a', 'b', '&', '=', '+', '%', '4', '1', 'F', 'é', '😀', '%C3', '%A9', '%20', '%26', '%3D']
  // Multiplied by 7,919 and so on, numbers go through all residues.
  for (let n = 1; n <= 3_000; n++) {
    const form = Array.from(
      { length: n % 40 },
      (_, i) => pieces[(n * 7_919 + i * i * n) % pieces.length],
    ).join('')
    expect([...parseForm(form)], form).toEqual([...new Map(new URLSearchParams(form))])
    expect([...parseForm(Buffer.from(form))], form).toEqual([...parseForm(form)])
  }
})
