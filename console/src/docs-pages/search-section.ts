/** A part of a page, as the search of the docs knows it. */
export type SearchSection = {
  readonly url: string
  /** Of the page. */
  readonly title: string
  /** Of the part; the same as `title` for what stands above the first one. */
  readonly heading: string
  /** Its words, in lower case, each once, separated by spaces. */
  readonly words: string
}
