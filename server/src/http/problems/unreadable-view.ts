import { type Failure, isObject } from 'rubicon-kernel'

/** A document that cannot be read, as an answer and no error: what is wrong with it, and where in the text. */
export function toUnreadableView({ code, summary, meta }: Failure): object {
  const problems = Array.isArray(meta?.problems) ? meta.problems.filter(isObject) : []
  return {
    code,
    summary,
    problems: problems.map(({ line, column, path, detail }) => ({ line, column, path, detail })),
  }
}
