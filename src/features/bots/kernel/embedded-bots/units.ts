/** `factor` and `offset` convert to the base unit of the kind: metre, kilogram, kelvin, byte. */
export type Unit = { kind: string; symbol: string; factor: number; offset: number; names: string[] }

type Declared = [symbol: string, factor: number, names: string, offset?: number]

/** All units, by the quantity that they measure. */
export const kinds = {
  length: units('length', [
    ['mm', 0.001, 'millimeter millimeters millimetre millimetres'],
    ['cm', 0.01, 'centimeter centimeters centimetre centimetres'],
    ['m', 1, 'meter meters metre metres'],
    ['km', 1_000, 'kilometer kilometers kilometre kilometres'],
    ['in', 0.0254, 'inch inches "'],
    ['ft', 0.3048, "foot feet '"],
    ['yd', 0.9144, 'yard yards'],
    ['mi', 1_609.344, 'mile miles'],
    ['nmi', 1_852, ''],
  ]),
  weight: units('weight', [
    ['mg', 1e-6, 'milligram milligrams'],
    ['g', 0.001, 'gram grams'],
    ['kg', 1, 'kilogram kilograms kilo kilos'],
    ['t', 1_000, 'tonne tonnes'],
    ['oz', 0.028349523125, 'ounce ounces'],
    ['lb', 0.45359237, 'lbs pound pounds'],
    ['st', 6.35029318, 'stone stones'],
  ]),
  temperature: units('temperature', [
    ['°C', 1, 'c celsius centigrade', 273.15],
    ['°F', 5 / 9, 'f fahrenheit', 459.67 * (5 / 9)],
    ['K', 1, 'kelvin kelvins'],
  ]),
  data: units('data', [
    ['B', 1, 'byte bytes'],
    ...multiples('kilo mega giga tera peta', 1_000, 'B', 'byte', 1),
    ...multiples('Kibi mebi gibi tebi pebi', 1_024, 'iB', 'byte', 1),
    ['bit', 1 / 8, 'bits'],
    ...multiples('kilo mega giga tera peta', 1_000, 'bit', 'bit', 1 / 8),
  ]),
} as const satisfies Record<string, Unit[]>

const all: Unit[] = Object.values(kinds).flat()

/** Returns the unit with a symbol or name. Case matters only where it distinguishes units. */
export function unitNamed(name: string): Unit | undefined {
  const lower = name.toLowerCase()
  return (
    all.find(({ symbol }) => symbol === name) ??
    all.find(({ symbol, names }) => symbol.toLowerCase() === lower || names.includes(lower))
  )
}

/** Converts an amount to another unit of the same kind. */
export function convert(amount: number, from: Unit, to: Unit): number {
  return (amount * from.factor + from.offset - to.offset) / to.factor
}

function units(kind: string, declared: Declared[]): Unit[] {
  return declared.map(([symbol, factor, names, offset = 0]) => {
    return { kind, symbol, factor, offset, names: names.split(' ') }
  })
}

/** Returns the multiples of a unit: `kB`, `kilobyte`, and so on. Only the symbol for thousand may be lower-case. */
function multiples(prefixes: string, step: number, symbol: string, name: string, factor: number): Declared[] {
  return prefixes.split(' ').map((prefix, index) => {
    const letter = index === 0 ? prefix.charAt(0) : prefix.charAt(0).toUpperCase()
    const long = prefix.toLowerCase() + name
    return [letter + symbol, factor * step ** (index + 1), `${long} ${long}s`]
  })
}
