/**
 * The search of the docs: a field and the parts of pages that it finds. The index is a file that was built with
 * the pages; it is asked for when somebody first goes to the field.
 */
import { rankSections } from './rank-sections.ts'
import type { SearchSection } from './search-section.ts'

const INDEX = '/docs/search.json'

export function openSearch(field: HTMLInputElement, list: HTMLElement, said: HTMLElement): void {
  let sections: Promise<readonly SearchSection[]> | null = null
  const load = (): Promise<readonly SearchSection[]> => {
    sections ??= fetchSections()
    return sections
  }
  const show = async (): Promise<void> => {
    const question = field.value
    const found = rankSections(await load(), question)
    // Somebody has typed on while the index was on its way.
    if (question === field.value) showFound(list, said, question, found)
  }
  field.addEventListener('focus', () => void load())
  field.addEventListener('input', () => void show())
  field.closest('search')?.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeSearch(field, list, said)
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, field, list)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || isTyping(event.target)) return
    event.preventDefault()
    field.focus()
  })
}

async function fetchSections(): Promise<readonly SearchSection[]> {
  const answer = await fetch(INDEX)
  return answer.ok ? parseSections(await answer.json()) : []
}

/** Our own file, built with the page. */
function parseSections(document: unknown): readonly SearchSection[] {
  return document as readonly SearchSection[]
}

function showFound(
  list: HTMLElement,
  said: HTMLElement,
  question: string,
  found: readonly SearchSection[],
): void {
  list.replaceChildren(...found.map(createResult))
  list.hidden = found.length === 0
  const count = found.length === 1 ? '1 result' : `${found.length} results`
  said.textContent = question.trim() === '' ? '' : count
}

function createResult({ url, title, heading }: SearchSection): HTMLElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = url
  link.textContent = heading === title ? title : `${title}: ${heading}`
  item.append(link)
  return item
}

function closeSearch(field: HTMLInputElement, list: HTMLElement, said: HTMLElement): void {
  field.value = ''
  showFound(list, said, '', [])
  field.focus()
}

/** From the field down into the results, and back. */
function moveFocus(event: KeyboardEvent, field: HTMLElement, list: HTMLElement): void {
  const places = [field, ...list.querySelectorAll('a')]
  const here = places.indexOf(document.activeElement as HTMLElement)
  const next = places[here + (event.key === 'ArrowDown' ? 1 : -1)]
  if (here < 0 || next === undefined) return
  event.preventDefault()
  next.focus()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}
