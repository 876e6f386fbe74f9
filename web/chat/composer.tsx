import { IconAlertTriangle, IconCloudOff, IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useEffect, useId, useReducer, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MESSAGE_CHARACTERS_MAX } from '#contract/message.ts';
import { formatPoints } from '#web/client/format.ts';
import { useLineState } from '#web/client/live-line.ts';
import styles from './composer.module.css';
import { type BoxAddress, sendDraft, setDraft, useBox } from './outbox.ts';
import { RefusalNote } from './refusal-note.tsx';
import { useOwnTyping } from './use-typing.ts';

/** From so many characters left on, the counter says how many. */
const WARNED_FROM = 150;

type ComposerProps = {
  address: BoxAddress;
  slowModeSeconds: number;
  fieldRef: Ref<HTMLTextAreaElement>;
};

/** The field in which a member writes, with what stands in the way of sending. */
export function Composer({ address, slowModeSeconds, fieldRef }: ComposerProps) {
  const { t } = useTranslation();
  const hintId = useId();
  const { draft, refusal, sendableAt } = useBox(address);
  const isOffline = useLineState().state === 'offline';
  const waitS = useSecondsUntil(sendableAt);
  const typing = useOwnTyping(address.channelId);
  const length = draft.trim().length;
  const excess = length - MESSAGE_CHARACTERS_MAX;
  const isRefused = refusal !== null && refusal.code !== 'slow-mode' && refusal.code !== 'chat-banned';

  const send = () => {
    if (length === 0 || excess > 0 || waitS > 0) return;
    typing.stop();
    sendDraft(address, slowModeSeconds);
  };
  const takeKey = (event: KeyboardEvent) => {
    // Enter also ends the composition of a syllable, which is no sending. Safari tells it by the code alone.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== 'Enter' || event.shiftKey || isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isRefused && <RefusalNote refusal={refusal} />}
      {isOffline && (
        <div className={styles.note}>
          <IconCloudOff size={20} stroke={1.75} aria-hidden="true" />
          <span>{t('chat.noLine')}</span>
        </div>
      )}
      <div className={styles.box}>
        <textarea
          ref={fieldRef}
          rows={1}
          dir="auto"
          value={draft}
          aria-label={t('chat.field')}
          aria-describedby={hintId}
          aria-invalid={isRefused || excess > 0}
          placeholder={t('chat.placeholder')}
          onKeyDown={takeKey}
          onChange={({ currentTarget: { value } }) => {
            setDraft(address, value);
            if (value.trim() === '') typing.stop();
            else typing.type();
          }}
          onBlur={typing.stop}
        />
        <button
          type="submit"
          className={styles.send}
          disabled={waitS > 0 || length === 0 || excess > 0}
          aria-label={waitS > 0 ? undefined : t(isOffline ? 'chat.sendLater' : 'chat.send')}
        >
          {waitS > 0 ? (
            <>
              <span className="num">{t('chat.wait', { seconds: waitS })}</span>
              <span className="visually-hidden"> {t('chat.untilSend')}</span>
            </>
          ) : (
            <IconSend2 size={20} stroke={1.75} aria-hidden="true" />
          )}
        </button>
      </div>
      <Hint
        id={hintId}
        length={length}
        waitS={waitS}
        kept={isRefused && length > 0 ? (refusal.code === 'forbidden-content' ? 'keptUnseen' : 'kept') : null}
      />
      <CanSend waitS={waitS} />
    </form>
  );
}

type HintProps = { id: string; length: number; waitS: number; kept: 'kept' | 'keptUnseen' | null };

/** The line under the field: what the keys do, and how many characters there are or may still be. */
function Hint({ id, length, waitS, kept }: HintProps) {
  const { t } = useTranslation();
  const most = formatPoints(MESSAGE_CHARACTERS_MAX);
  const left = MESSAGE_CHARACTERS_MAX - length;
  if (left < 0) {
    return (
      <p className={styles.tooLong} id={id} role="alert">
        <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
        <span>{t('chat.tooLong', { count: -left, most })}</span>
      </p>
    );
  }
  const text = waitS > 0 ? t('chat.hint.slow', { seconds: waitS }) : t(`chat.hint.${kept ?? 'keys'}`);
  return (
    <p className={styles.hint} id={id}>
      <span>{text}</span>
      {left <= WARNED_FROM ? (
        <span className={`num ${styles.left}`}>{t('chat.left', { count: left })}</span>
      ) : (
        <span className="num">{t('chat.count', { count: formatPoints(length), most })}</span>
      )}
    </p>
  );
}

/** Tells a screen reader the end of the wait. Its seconds are not told. */
function CanSend({ waitS }: { waitS: number }) {
  const { t } = useTranslation();
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    if (waitS > 0) setWaited(true);
  }, [waitS]);
  return (
    <span className="visually-hidden" role="status">
      {hasWaited && waitS === 0 ? t('chat.canSend') : ''}
    </span>
  );
}

/** The whole seconds until a time, which is in ms since 1970. */
function useSecondsUntil(at: number): number {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const leftMs = Math.max(0, at - Date.now());
  const seconds = Math.ceil(leftMs / 1_000);
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(renderAgain, at - Date.now() - (seconds - 1) * 1_000);
    return () => clearTimeout(timer);
  }, [at, seconds]);
  return seconds;
}
