import { t } from '../../../lib/i18n.ts'

/** The kinds of bots that users create, as the API numbers them. */
export const botKinds = [
  [1, 'bots.kind_generic'],
  [2, 'bots.kind_incoming'],
  [3, 'bots.kind_outgoing'],
] as const

/** An outgoing webhook, which has an address. */
export const webhookKind = 3

export function kindName(kind: number): string {
  const found = botKinds.find(([number]) => number === kind)
  return found ? t(found[1]) : t('bots.kind_embedded')
}
