import { type Setting, settings } from '../config/config.ts'

export const afterHelp = `
Every command takes --data DIRECTORY, the data directory of the server (or ROOKERY_DATA, or ./data). It finds the settings there
that the server was last started with; its own environment, and a file named by --config FILE, go before them. rookery
serve --help lists the settings.`

/** The settings, as the help of the server shows them. */
export function settingsHelp(): string {
  const rows = Object.values<Setting>(settings).map((setting) => {
    const fallback = setting.default ?? setting.otherwise?.replaceAll('`', '')
    return [setting.name, `${setting.summary.replaceAll('`', '')} (${fallback})`] as const
  })
  return `Settings, from the environment, or from rookery.env in the data directory, or from the file that --config FILE names
(what holds without them). NAME_FILE gives a file that holds the value of a secret one:\n\n${columns(rows)}`
}

/** Two columns, the first as wide as it must be. */
function columns(rows: (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')
}
