/** Which parts of the docs a question is about, the best first. */
import type { SearchSection } from './search-section.ts'

const MOST = 12
const POINTS = { title: 12, heading: 8, word: 3, beginning: 1 } as const

/** Every word of the question has to be in a part, or one that begins with it. */
export function rankSections(
  sections: readonly SearchSection[],
  question: string,
): readonly SearchSection[] {
  const wanted = splitWords(question)
  if (wanted.length === 0) return []
  const found = sections.flatMap((section) => {
    const points = wanted.map((word) => countPoints(section, word))
    return points.includes(0) ? [] : [{ section, points: points.reduce((a, b) => a + b, 0) }]
  })
  return found
    .toSorted((a, b) => b.points - a.points)
    .slice(0, MOST)
    .map(({ section }) => section)
}

/** Letters, digits and what joins them in names; the same at build time and in the browser. */
export function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_]*/gu) ?? []
}

function countPoints({ title, heading, words }: SearchSection, word: string): number {
  const isWhole = ` ${words} `.includes(` ${word} `)
  const begins = isWhole || ` ${words}`.includes(` ${word}`)
  return (
    (splitWords(title).some((one) => one.startsWith(word)) ? POINTS.title : 0) +
    (splitWords(heading).some((one) => one.startsWith(word)) ? POINTS.heading : 0) +
    (isWhole ? POINTS.word : begins ? POINTS.beginning : 0)
  )
}
