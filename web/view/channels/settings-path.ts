/** The tabs of the settings of a channel. */
export const tabs = ['personal', 'general', 'permissions', 'subscribers'] as const
export type SettingsTab = (typeof tabs)[number]

/** Reads what follows `#channels/`: `5`, `5/subscribers`, and `5/design/general` as in links of other clients. */
export function settingsIn(path: string): { key: string; channelId: number; tab: SettingsTab } | undefined {
  const [id = '', ...rest] = path.split('/')
  if (!/^\d+$/.test(id)) return undefined
  const last = rest.at(-1)
  const tab = tabs.find((one) => one === last) ?? 'general'
  return { key: `${id}/${tab}`, channelId: Number(id), tab }
}
