/** Which tests a finding has: those whose title begins with its number and letter. */

export type FindingTest = {
  readonly finding: string
  readonly file: string
  readonly title: string
}

const TITLE = /(['"`])finding (\d+[a-z]): ((?:\\.|(?!\1)[^\n\\])*)\1/g

export function parseTests(file: string, text: string): readonly FindingTest[] {
  return [...text.matchAll(TITLE)].map(([, , finding = '', title = '']) => ({
    finding,
    file,
    title: title.replaceAll(/\\(.)/g, '$1'),
  }))
}

/** For `--test-name-pattern`. */
export function buildTitlePattern(findings: readonly string[]): string {
  return `\\bfinding (${findings.join('|')}):`
}

/** The one test with that title. */
export function buildExactPattern(title: string): string {
  return `^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
}

export function parseFinding(title: string): string | null {
  return /^finding (\d+[a-z]):/.exec(title)?.[1] ?? null
}
