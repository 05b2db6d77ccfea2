/** Returns a function that runs tasks one after another. A task that fails does not keep the next from running. */
export function inTurn(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    last = run.catch(() => {})
    return run
  }
}
