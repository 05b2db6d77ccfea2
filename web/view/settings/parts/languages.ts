import { inOrder } from '../../../lib/in-order.ts'
import type { Option } from './declare.ts'

/** The languages that clients of the API know, by their codes there. */
export const languageCodes = [
  'ar be bg bn bqi ca cs cy da de el en en-gb es eu fa fi fr gl gu he hi hu id it ja ko lt lv ml mn nl no pl',
  'pt pt-br pt-pt ro ru si sk sr sv ta tl tr uk ur uz vi zh-hans zh-hant',
].flatMap((line) => line.split(' '))

/** Each language by its own name. */
export function languageOptions(): Option[] {
  return languageCodes
    .map((code) => {
      const own = new Intl.DisplayNames([code], { type: 'language', fallback: 'code' }).of(code) ?? code
      return { value: code, name: own.charAt(0).toLocaleUpperCase(code) + own.slice(1) }
    })
    .sort((a, b) => inOrder(a.name, b.name))
}
