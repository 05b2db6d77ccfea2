import type { Option } from '../parts/declare.ts'

/** The time zones that the browser knows; the empty one is that of no place. */
export function timeZones(): Option[] {
  return Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, name: zone.replaceAll('_', ' ') }))
}
