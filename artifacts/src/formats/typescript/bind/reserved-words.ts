/** What cannot be the name of a symbol. */

const WORDS: ReadonlySet<string> = new Set(
  `break case catch class const continue debugger default delete do else enum export extends false finally for function if import in
   instanceof new null return super switch this throw true try typeof var void while with
   implements interface let package private protected public static yield await arguments eval undefined`.split(
    /\s+/u,
  ),
)

const NAME = /^#?[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*$/u

export function refuseName(name: string): string | null {
  if (!NAME.test(name)) return `\`${name}\` is not a name`
  return WORDS.has(name) ? `\`${name}\` is a word of the language` : null
}
