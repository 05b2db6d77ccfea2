/** The keys of texts, made by web/message-files.ts: the names in each group, so `{ view: 'inbox feed' }` is `view.inbox` and `view.feed`. */
declare module '*.json?keys' {
  const groups: Record<string, string>
  export default groups
}

declare module '*.json?all&keys' {
  const groups: Record<string, string>
  export default groups
}
