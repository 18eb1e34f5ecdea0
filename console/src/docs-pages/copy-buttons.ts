/** A button at each block of code that copies what is written in it. */
const SAID_MS = 2_000

export function addCopyButtons(page: ParentNode): void {
  for (const block of page.querySelectorAll<HTMLElement>('.code')) {
    const code = block.querySelector('code')
    if (code === null) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copyText(button, code.textContent ?? ''))
    block.append(button)
  }
}

/** Without a clipboard, as on a page without TLS elsewhere, the text can still be selected. */
async function copyText(button: HTMLButtonElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Cannot copy'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, SAID_MS)
}
