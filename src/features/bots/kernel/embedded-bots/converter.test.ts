import { expect, test } from 'vitest'
import { converter } from './converter.ts'

const cases: [string, unknown][] = [
  ['12 km to mi', '12 km = **7.45645 mi**'],
  ['convert 1 Mile in km?', '1 mi = **1.60934 km**'],
  ['12 in in cm', '12 in = **30.48 cm**'],
  ['150 lbs as kg', '150 lb = **68.0389 kg**'],
  ['100 C to F', '100 °C = **212 °F**'],
  ['-40 fahrenheit to celsius', '-40 °F = **-40 °C**'],
  ['0K to C', '0 K = **-273.15 °C**'],
  ['1 GiB to bytes', '1 GiB = **1073741824 B**'],
  ['8 Mbit to MB', '8 Mbit = **1 MB**'],
  ['2 mb to kibibytes', '2 MB = **1953.13 KiB**'],
  ['-300 C to K', 'Nothing is that cold.'],
  ['12 km to kg', 'km is a unit of length, and kg one of weight: neither is made of the other.'],
  ['12 parsec to km', expect.stringContaining('I do not know that unit.')],
  ['What is the time?', expect.stringContaining('- temperature: °C, °F, K')],
  [`1${' '.repeat(9_000)}km to`, expect.stringContaining('Ask me')],
]

test.each(cases)('%#: converts an amount to another unit', async (text, said) => {
  const sender = { id: 1, name: 'Ben', mention: '@_**Ben|1**' }
  const { say } = await converter.respond({ text, sender, config: {}, stored: async () => ({}) })
  expect(say).toEqual(said)
})
