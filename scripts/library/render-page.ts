/** A page of the library reference: every exported name of a package, with its sentence and its members. */
import { type LibraryDeclaration, type LibraryMember, listUnsaid } from './declaration.ts'

export type LibraryPage = {
  readonly title: string
  /** What stands before the first name, in lines. */
  readonly intro: readonly string[]
  readonly declarations: readonly LibraryDeclaration[]
}

const SECTIONS = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['type', 'Types'],
  ['constant', 'Constants'],
] as const

/** Throws where something has no sentence: a name alone tells a reader nothing. */
export function renderLibraryPage({ title, intro, declarations }: LibraryPage): string {
  const unsaid = listUnsaid(declarations)
  if (unsaid.length > 0)
    throw new Error(`${title}: no sentence says what these are:\n  ${unsaid.join('\n  ')}`)
  return [
    `# ${title}`,
    '',
    ...intro,
    '',
    ...SECTIONS.flatMap(([kind, heading]) => {
      const own = declarations.filter((one) => one.kind === kind)
      return own.length === 0 ? [] : [`## ${heading}`, '', ...own.flatMap(renderDeclaration)]
    }),
  ].join('\n')
}

function renderDeclaration({ name, says, text, members }: LibraryDeclaration): readonly string[] {
  return [
    `### ${name}`,
    '',
    closeSentence(says),
    '',
    ...(text === '' ? [] : ['```ts shown', text, '```', '']),
    ...members.map(renderMember),
    ...(members.length === 0 ? [] : ['']),
  ]
}

function renderMember({ text, says }: LibraryMember): string {
  return `- ${quoteCode(text)}: ${closeSentence(says)}`
}

/** Types have backticks of their own where they are made of texts. */
function quoteCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function closeSentence(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`
}
