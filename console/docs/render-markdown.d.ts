export type Rendered = {
  readonly html: string
  readonly title: string
  /** The second-level headings, for the list of what is on the page. */
  readonly parts: readonly {
    readonly anchor: string
    readonly text: string
  }[]
  readonly anchors: ReadonlySet<string>
}
/** Where a link of the page leads; null: to nothing that is here, so it is no link. */
export type Resolve = (href: string) => string | null
export declare function renderMarkdown(markdown: string, resolve: Resolve): Rendered
