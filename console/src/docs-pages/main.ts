/** What the pages of the docs do in a browser. Without it they are read as they are. */
import { addCopyButtons } from './copy-buttons.ts'
import { openParts } from './open-parts.ts'
import { openSearch } from './search-box.ts'
import { showCurrentPage } from './show-current-page.ts'

const [field, list, said] = ['search-field', 'search-list', 'search-said'].map((id) =>
  document.getElementById(id),
)
if (field instanceof HTMLInputElement && list != null && said != null) {
  field.closest<HTMLElement>('search')?.removeAttribute('hidden')
  openSearch(field, list, said)
}
addCopyButtons(document)
openParts(document, matchMedia('(min-width: 701px)').matches)
showCurrentPage(document)
