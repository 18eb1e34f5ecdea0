/** An editor in a test: it is in a shadow root, and draws the lines that can be seen. */
import type { Locator, Page } from 'playwright-core'

export function editorOf(page: Page, label: string | RegExp): Locator {
  return page.getByRole('textbox', { name: label, exact: true }).and(page.locator('.cm-content'))
}

/** By keys alone, as somebody would paste it. */
export async function writeEditor(page: Page, label: string | RegExp, text: string): Promise<void> {
  const content = editorOf(page, label)
  await content.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

/** Of a text that is no longer than what is drawn. */
export async function readEditor(page: Page, label: string | RegExp): Promise<string> {
  const content = editorOf(page, label)
  await content.waitFor()
  return (await content.locator('.cm-line').allTextContents()).join('\n')
}

export function selectedInEditor(page: Page): Promise<string> {
  return page.evaluate(() => {
    const root = document.activeElement?.shadowRoot
    const selection = root === null || root === undefined ? null : readSelection(root)
    return selection?.toString() ?? ''
    function readSelection(inside: ShadowRoot): Selection | null {
      const own = 'getSelection' in inside ? inside.getSelection : null
      return typeof own === 'function' ? own.call(inside) : document.getSelection()
    }
  })
}
