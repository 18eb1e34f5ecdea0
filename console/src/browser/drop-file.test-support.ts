import type { Page } from 'playwright-core'

/** Drops a file on an element, as a hand would. */
export async function dropFile(
  page: Page,
  selector: string,
  name: string,
  text: string,
): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ({ name, text }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], name))
      return transfer
    },
    { name, text },
  )
  await page.dispatchEvent(selector, 'drop', { dataTransfer })
}
