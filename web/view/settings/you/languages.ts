import type { Option } from '../parts/declare.ts'

/** The languages that the API knows. */
const codes = [
  'ar be bg bn bqi ca cs cy da de el en en-gb es eu fa fi fr gl gu he hi hu id it ja ko lt lv ml mn nl no pl',
  'pt pt-br pt-pt ro ru si sk sr sv ta tl tr uk ur uz vi zh-hans zh-hant',
].flatMap((line) => line.split(' '))

/** The languages, each by its own name. */
export function languages(): Option[] {
  return codes
    .map((code) => ({ value: code, name: nameOf(code) }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** The time zones that the browser knows; the empty one is that of no place. */
export function timeZones(): Option[] {
  return Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, name: zone.replaceAll('_', ' ') }))
}

function nameOf(code: string) {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
