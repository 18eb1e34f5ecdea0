/** The list of pages is longer than most screens: it begins where its reader is. */
export function showCurrentPage(page: ParentNode): void {
  const list = page.querySelector<HTMLElement>('#pages')
  const current = list?.querySelector<HTMLElement>('[aria-current="page"]')
  if (list == null || current == null) return
  list.scrollTop = current.offsetTop - list.clientHeight / 2
}
