const character = '(?:\\w|%[0-9A-Fa-f]{2})'
const variable = new RegExp(`^(${character}(?:\\.?${character})*)(?::[1-9]\\d{0,3}|\\*)?$`)

/** The names of the variables in a URL template (RFC 6570); null if it is none. */
export function templateVariables(template: string): Set<string> | null {
  const names = new Set<string>()
  const expressions = [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)]
  for (const part of expressions.flatMap(([, list = '']) => list.split(','))) {
    const name = variable.exec(part)?.[1]
    if (name === undefined) return null
    names.add(name)
  }
  return /[{}]/.test(template.replace(/\{[^{}]*\}/g, '')) ? null : names
}
