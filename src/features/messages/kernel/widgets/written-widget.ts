// The web client shows with these functions what a text will be, so they import nothing.

/** Returns the poll or list of tasks that a text is. */
export function writtenWidget(content: string) {
  const [, type, rest = ''] = /^\/(poll|todo)(?=\s|$)([\s\S]*)$/.exec(content) ?? []
  if (type === undefined) return undefined
  return { widget_type: type, extra_data: type === 'poll' ? poll(rest) : todo(rest) }
}

function poll(text: string) {
  const { title, items } = titleAndItems(text)
  return { question: title, options: items }
}

/** Splits a task: the text before the first colon is its name, the rest is its description. */
function todo(text: string) {
  const { title, items } = titleAndItems(text)
  const tasks = items.map((item) => {
    const [, task = '', desc = ''] = /^([^:]*):?([\s\S]*)$/.exec(item) ?? []
    return { task: task.trim(), desc: desc.trim() }
  })
  return { task_list_title: title, tasks }
}

/** Parses a title on the first line, and one item on each other line, with or without list markers. */
function titleAndItems(text: string) {
  const [first = '', ...lines] = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
  const items = lines.map((line) => line.trim().replace(/^[-*]?\s*/, '')).filter(Boolean)
  return { title: first.trim(), items }
}
