import { type Setting, settings } from '../config/config.ts'

export const afterHelp = `
The commands take their settings from the environment, and from the data directory those that the server was last
started with; rookery serve --help lists them.`

/** The settings, as the help of the server shows them. */
export function settingsHelp(): string {
  const rows = Object.values<Setting>(settings).map((setting) => {
    const fallback = setting.default ?? setting.otherwise?.replaceAll('`', '')
    return [setting.name, `${setting.summary.replaceAll('`', '')} (${fallback})`] as const
  })
  return `Settings, from the environment (what holds without them):\n\n${columns(rows)}`
}

/** Two columns, the first as wide as it must be. */
function columns(rows: (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')
}
