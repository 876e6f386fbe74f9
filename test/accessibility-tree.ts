import assert from 'node:assert/strict';
import type { CDPSession, Frame, Page } from 'playwright-core';

/**
 * Reads and uses a page through the browser's accessibility tree only, as a screen reader does. Elements are found by
 * role and name. It uses no selectors, positions or colours.
 */
type AxValue = { value?: unknown };
type AxNode = {
  role?: AxValue;
  name?: AxValue;
  ignored: boolean;
  backendDOMNodeId?: number;
  properties?: { name: string; value: AxValue }[];
};

export type Reader = {
  /** Waits for an enabled element with this role and name, and performs its action. */
  press(role: string, name: string | RegExp): Promise<void>;
  /** Focuses a field and types. */
  type(role: string, name: string | RegExp, text: string): Promise<void>;
  /** Waits until a name or a text of the tree matches, and returns that text. */
  hear(text: string | RegExp | ((said: string) => boolean)): Promise<string>;
};

const TRIES_MAX = 100;
const PAUSE_MS = 100;

/** Normalises spaces, because screen readers read them the same. */
const saidBy = ({ name }: AxNode): string => String(name?.value ?? '').replaceAll(/\s+/g, ' ');

const isNamed = (node: AxNode, name: string | RegExp): boolean => {
  const said = saidBy(node);
  return typeof name === 'string' ? said === name : name.test(said);
};
const isUsable = (node: AxNode): boolean =>
  !(node.properties ?? []).some(({ name, value }) => name === 'disabled' && value.value === true);

async function treeOf(session: CDPSession): Promise<AxNode[]> {
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: AxNode[] };
  return nodes.filter(({ ignored }) => !ignored);
}

/** Reads a page, or a frame of another origin in it. */
export async function openReader(page: Page, part: Page | Frame = page): Promise<Reader> {
  const session = await page.context().newCDPSession(part);
  await session.send('Accessibility.enable');
  await session.send('DOM.enable');

  const find = async (role: string, name: string | RegExp): Promise<number> => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const found = (await treeOf(session)).find(
        (node) => node.role?.value === role && isNamed(node, name) && isUsable(node),
      );
      if (found?.backendDOMNodeId !== undefined) return found.backendDOMNodeId;
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
    const heard = (await treeOf(session)).map((node) => `${node.role?.value}: ${saidBy(node)}`);
    assert.fail(`The tree has no usable ${role} named ${name}, but:\n${heard.join('\n')}`);
  };
  const call = async (backendNodeId: number, functionDeclaration: string): Promise<void> => {
    const { object } = await session.send('DOM.resolveNode', { backendNodeId });
    await session.send('Runtime.callFunctionOn', { objectId: object.objectId ?? '', functionDeclaration });
  };
  return {
    async press(role, name) {
      await call(await find(role, name), 'function () { this.focus?.(); this.click(); }');
    },
    async type(role, name, text) {
      await session.send('DOM.focus', { backendNodeId: await find(role, name) });
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    async hear(text) {
      const isMeant =
        typeof text === 'function'
          ? text
          : (said: string) => (typeof text === 'string' ? said.includes(text) : text.test(said));
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const said = (await treeOf(session)).map(saidBy);
        const heard = said.find(isMeant);
        if (heard !== undefined) return heard;
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
      return assert.fail(`The tree never said ${text}`);
    },
  };
}
