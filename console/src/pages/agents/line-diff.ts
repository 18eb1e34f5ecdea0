/** What differs between two texts, line by line. */
export type DiffLine = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }

/** Beyond so many lines in the middle, all of one side stands before all of the other. */
const MOST = 1_500

export function compareLines(before: string, after: string): readonly DiffLine[] {
  const [left, right] = [before.split('\n'), after.split('\n')]
  const head = countCommonLines(left, right)
  const tail = countCommonLines(left.slice(head).reverse(), right.slice(head).reverse())
  const getMiddle = (lines: readonly string[]): readonly string[] =>
    lines.slice(head, lines.length - tail)
  return [
    ...left.slice(0, head).map(toSameLine),
    ...compareMiddle(getMiddle(left), getMiddle(right)),
    ...left.slice(left.length - tail).map(toSameLine),
  ]
}

function countCommonLines(left: readonly string[], right: readonly string[]): number {
  const most = Math.min(left.length, right.length)
  for (let at = 0; at < most; at += 1) if (left[at] !== right[at]) return at
  return most
}

/** By the longest common subsequence: what stays is as much as possible. */
function compareMiddle(left: readonly string[], right: readonly string[]): readonly DiffLine[] {
  if (left.length > MOST || right.length > MOST)
    return [...left.map(toRemovedLine), ...right.map(toAddedLine)]
  const kept = computeLengths(left, right)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) {
    const [a, b] = [left[i] ?? '', right[j] ?? '']
    if (a === b) {
      lines.push(toSameLine(a))
      i += 1
      j += 1
    } else if ((kept[i + 1]?.[j] ?? 0) >= (kept[i]?.[j + 1] ?? 0)) {
      lines.push(toRemovedLine(a))
      i += 1
    } else {
      lines.push(toAddedLine(b))
      j += 1
    }
  }
  return [...lines, ...left.slice(i).map(toRemovedLine), ...right.slice(j).map(toAddedLine)]
}

/** How much is common from each pair of lines on. */
function computeLengths(left: readonly string[], right: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const [row, next] = [rows[i], rows[i + 1]]
      if (row === undefined || next === undefined) continue
      row[j] =
        left[i] === right[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0)
    }
  return rows
}

function toSameLine(text: string): DiffLine {
  return { kind: 'same', text }
}

function toRemovedLine(text: string): DiffLine {
  return { kind: 'removed', text }
}

function toAddedLine(text: string): DiffLine {
  return { kind: 'added', text }
}
