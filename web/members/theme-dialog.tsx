import { Button, ColorPicker, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { CUSTOM_THEME, chatColor, chatPresets } from '#contract/members.ts';
import { useMember } from '#web/client/session.ts';
import { isReadable } from '#web/ui/contrast.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldLabel, fieldError } from '#web/ui/field-parts.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { ThemeBubble } from './theme-bubble.tsx';
import styles from './theme-dialog.module.css';
import { type ColorName, useThemeChoice } from './use-theme-choice.ts';

/** Chooses the colours of the member's chat messages: a preset or own colours, with a preview. */
export function ThemeDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('chatTheme.title')} width={620}>
      <ThemeForm onClose={onClose} />
    </Dialog>
  );
}

type Choice = ReturnType<typeof useThemeChoice>;

function ThemeForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const choice = useThemeChoice(useMember(), onClose);
  const { theme, isWhole, isSaving, isSaved, error } = choice;
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole && !isSaving && !isSaved) choice.save();
      }}
    >
      <Preview choice={choice} />
      <Presets choice={choice} />
      <section aria-labelledby="own-colours">
        <div className={styles.ownHead}>
          <h3 id="own-colours">{t('chatTheme.own')}</h3>
          {theme.chatTheme === CUSTOM_THEME && (
            <StatusBadge tone="ok">{t('chatTheme.names.custom')}</StatusBadge>
          )}
        </div>
        <div className={styles.own}>
          <OwnColor name="chatBubbleColor" label={t('chatTheme.bubble')} choice={choice} />
          <OwnColor name="chatTextColor" label={t('chatTheme.text')} choice={choice} />
        </div>
      </section>
      <div className={styles.foot}>
        <p className={styles.news} role={error === null ? 'status' : 'alert'}>
          {isSaved && <span className={styles.ok}>{t('chatTheme.applied')}</span>}
          {error !== null && <span className={styles.bad}>{t(`refusals.${error.code}`)}</span>}
        </p>
        <Button variant="subtle" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          type="submit"
          disabled={!isWhole}
          loading={isSaving}
          {...(isSaved ? { leftSection: <IconCheck size={20} stroke={1.75} aria-hidden="true" /> } : {})}
        >
          {t('chatTheme.apply')}
        </Button>
      </div>
    </form>
  );
}

function Presets({ choice }: { choice: Choice }) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.presets}>
      <legend>{t('chatTheme.presets')}</legend>
      {chatPresets.map((preset) => (
        <label key={preset.id} className={styles.preset}>
          <input
            type="radio"
            name="preset"
            value={preset.id}
            checked={choice.theme.chatTheme === preset.id}
            onChange={() => choice.choosePreset(preset)}
          />
          <ThemeBubble bubbleColor={preset.bubbleColor} textColor={preset.textColor} isSmall>
            Aa
          </ThemeBubble>
          <span>{t(`chatTheme.names.${preset.id}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

type OwnColorProps = { name: ColorName; label: string; choice: Choice };

function OwnColor({ name, label, choice }: OwnColorProps) {
  const { t } = useTranslation();
  const labelId = useId();
  const color = choice.theme[name];
  const isColor = chatColor.safeParse(color).success;
  return (
    <fieldset className={styles.color} aria-labelledby={labelId}>
      <span id={labelId} className="visually-hidden">
        {label}
      </span>
      <TextInput
        label={<FieldLabel text={label} help={t('chatTheme.hex')} />}
        value={color}
        maxLength={7}
        spellCheck={false}
        autoComplete="off"
        error={fieldError(isColor ? null : t('chatTheme.hexError'))}
        onChange={(event) => choice.chooseColor(name, hexOf(event.currentTarget.value))}
      />
      <ColorPicker
        fullWidth
        format="hex"
        value={isColor ? color : ''}
        onChange={(picked) => choice.chooseColor(name, picked.toUpperCase())}
        saturationLabel={t('chatTheme.saturation')}
        hueLabel={t('chatTheme.hue')}
        classNames={{ saturation: styles.saturation ?? '' }}
      />
    </fieldset>
  );
}

/** The typed or pasted colour with exactly one `#` in front. */
const hexOf = (typed: string) => `#${typed.replaceAll('#', '').trim()}`;

function Preview({ choice: { theme, isWhole } }: { choice: Choice }) {
  const { t } = useTranslation();
  const isHardToRead = isWhole && !isReadable(theme.chatTextColor, theme.chatBubbleColor);
  return (
    <section className={styles.previewArea} aria-label={t('chatTheme.preview')}>
      <div className={styles.preview}>
        <p className={styles.theirs}>{t('chatTheme.sampleTheirs')}</p>
        <p className={styles.mine}>
          <ThemeBubble bubbleColor={theme.chatBubbleColor} textColor={theme.chatTextColor}>
            {t('chatTheme.sampleMine')}
          </ThemeBubble>
        </p>
      </div>
      <p className={styles.hint} role="status">
        {isHardToRead && (
          <>
            <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
            <span>{t('chatTheme.unreadable')}</span>
          </>
        )}
      </p>
    </section>
  );
}
