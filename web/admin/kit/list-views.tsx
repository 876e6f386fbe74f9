import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readViews, removeView, type SavedView, saveView } from '#contract/members-views.ts';
import { formatPoints } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { toast } from '#web/ui/toast.tsx';
import { useKeys } from './keys.ts';
import type { ListView, ListViews as OwnViews } from './list-screen.ts';
import styles from './list-views.module.css';
import { SaveViewDialog } from './save-view-dialog.tsx';
import { useRefusalWords } from './use-refusal-words.ts';
import { useTabInSight } from './use-tab-in-sight.ts';

/** How long a removed view can be brought back. */
const UNDO_MS = 10_000;

/** What of a screen's URL is no part of a view: the place in the list, and where the operator came from. */
const notOfViews = ['page', 'open', 'from'];

/** The query of a view, as the server keeps it: in one order, so that equal filters are one text. */
function queryOf(search: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(search).filter(
    ([name, value]) => value !== undefined && !notOfViews.includes(name),
  );
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)]));
  query.sort();
  return query.toString();
}

const searchOf = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query));

type ListViewsProps = {
  /** The list's own views; without them it has one, that of no filter. */
  own: OwnViews | undefined;
};

/** The views of a list: its own, then those that the operator saved. The keys 1 to 9 open the first nine. */
export function ListViews({ own }: ListViewsProps) {
  const { t } = useTranslation();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const query = queryOf(useSearch({ strict: false }));
  const saved = useRead(readViews).data?.filter(({ screen }) => screen === path) ?? [];
  const current = saved.find((view) => view.query === query);
  const items: ListView[] = [
    ...(own?.items ?? [
      { key: 'standard', label: t('list.views.standard'), search: {}, isCurrent: query === '' },
    ]),
    ...saved.map((view) => ({
      key: `saved-${view.id}`,
      label: view.name,
      search: searchOf(view.query),
      isCurrent: view === current,
    })),
  ];
  const isCurrent = (item: ListView) =>
    item.isCurrent && (current === undefined || item.key === `saved-${current.id}`);
  useViewKeys(items, path);
  const strip = useTabInSight(items.find(isCurrent)?.key);
  return (
    <div className={styles.row}>
      <nav ref={strip} className={styles.views} aria-label={own?.label ?? t('list.views.label')}>
        {items.map((item) => (
          <ViewLink key={item.key} item={item} path={path} isCurrent={isCurrent(item)} />
        ))}
      </nav>
      {current !== undefined && <RemoveView view={current} />}
      {current === undefined && query !== '' && <SaveView screen={path} query={query} saved={saved} />}
    </div>
  );
}

type ViewLinkProps = { item: ListView; path: string; isCurrent: boolean };

/** A link of its own, because the router's calls every view current whose filters are among those of the URL. */
function ViewLink({ item, path, isCurrent }: ViewLinkProps) {
  const { label, count, search, to = path } = item;
  const router = useRouter();
  const target = { to, search: search as never };
  return (
    <a
      href={router.buildLocation(target).href}
      data-current={isCurrent || undefined}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void router.navigate({ ...target, replace: to === path });
      }}
    >
      <span className={styles.name} data-bold={label}>
        {label}
      </span>
      {count !== undefined && <span className="num">{count === null ? '\u00a0' : formatPoints(count)}</span>}
    </a>
  );
}

const KEYS_MAX = 9;

function useViewKeys(items: readonly ListView[], path: string): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const reached = items.slice(0, KEYS_MAX);
  useKeys(
    reached.map(({ to = path, search }, index) => ({
      hotkey: String(index + 1),
      act: () => void navigate({ to, search: search as never, replace: to === path }),
    })),
    {
      title: t('list.keys.title'),
      lines: [{ label: t('list.keys.view'), caps: [reached.length === 1 ? '1' : `1–${reached.length}`] }],
    },
  );
}

type SaveViewProps = { screen: string; query: string; saved: readonly SavedView[] };

function SaveView({ screen, query, saved }: SaveViewProps) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const [isOpen, setOpen] = useState(false);
  const save = useAct(saveView);
  const submit = (name: string) =>
    save.mutate(
      { body: { screen: screen as never, name, query } },
      {
        onSuccess: () => {
          setOpen(false);
          toast.ok(t('list.views.saved', { name }));
        },
      },
    );
  return (
    <>
      <Button
        className={styles.act}
        variant="subtle"
        size="sm"
        leftSection={<IconPlus size={16} stroke={2} aria-hidden="true" />}
        onClick={() => {
          save.reset();
          setOpen(true);
        }}
      >
        {t('list.views.save')}
      </Button>
      <SaveViewDialog
        isOpen={isOpen}
        names={saved.map(({ name }) => name)}
        isPending={save.isPending}
        failure={save.error === null ? null : refusalWords(save.error.code)}
        onSubmit={submit}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

/** Removes the shown view; the list keeps its filters. The message brings the view back. */
function RemoveView({ view }: { view: SavedView }) {
  const { t } = useTranslation();
  const refusalWords = useRefusalWords();
  const remove = useAct(removeView);
  const save = useAct(saveView);
  const { screen, name, query } = view;
  const onError = ({ code }: { code: Parameters<typeof refusalWords>[0] }) => toast.bad(refusalWords(code));
  const bringBack = () => {
    toast.clear();
    save.mutate({ body: { screen: screen as never, name, query } }, { onError });
  };
  return (
    <Button
      className={styles.act}
      variant="subtle"
      size="sm"
      loading={remove.isPending}
      leftSection={<IconTrash size={16} stroke={2} aria-hidden="true" />}
      onClick={() =>
        remove.mutate(
          { params: { id: view.id } },
          {
            onSuccess: () =>
              toast.undoable(t('list.views.removed', { name }), {
                label: t('list.views.bringBack'),
                act: bringBack,
                forMs: UNDO_MS,
              }),
            onError,
          },
        )
      }
    >
      {t('list.views.remove')}
    </Button>
  );
}
