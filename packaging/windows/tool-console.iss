; The installer of Windows, for Inno Setup 6.3 or newer. NOT RUN HERE: this project has no Windows machine. The workflow
; build.yml runs it:
;
;   iscc /DVersion=0.1.0 packaging\windows\tool-console.iss
;   iscc /DVersion=0.1.0 /DSign "/Ssigning=signtool sign /fd sha256 /tr TIMESERVER /td sha256 /a $f" packaging\windows\tool-console.iss
;
; It installs dist\tool-console for the person who runs it, without an administrator's rights, and puts the command
; tool-console on this person's PATH.

#ifndef Version
  #error "expected /DVersion=, as in pyproject.toml"
#endif

[Setup]
; Never change this: by it a newer version finds the older one.
AppId={{5B0F5C0B-7C3A-4B0E-9B55-6D3C54C0A2B1}
AppName=Tool Console
AppVersion={#Version}
AppPublisher=Tool Console authors
LicenseFile=..\..\LICENSE
DefaultDirName={autopf}\Tool Console
DefaultGroupName=Tool Console
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
OutputDir=..\..\dist
OutputBaseFilename=tool-console-{#Version}-windows-x86_64
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
ChangesEnvironment=yes
CloseApplications=yes
UninstallDisplayIcon={app}\tool-console.exe
#ifdef Sign
SignTool=signing
SignedUninstaller=yes
#endif

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "path"; Description: "Let terminals find the command tool-console"
Name: "desktop"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; Files of an older version that the new one does not have.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "..\..\dist\tool-console\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[Icons]
Name: "{group}\Tool Console"; Filename: "{app}\tool-console.exe"; WorkingDir: "{userdocs}"
Name: "{autodesktop}\Tool Console"; Filename: "{app}\tool-console.exe"; WorkingDir: "{userdocs}"; Tasks: desktop

[Run]
Filename: "{app}\tool-console.exe"; Description: "{cm:LaunchProgram,Tool Console}"; Flags: nowait postinstall skipifsilent

[Code]
const
  Variables = 'Environment';

function WithoutProgram(Path: string): string;
var
  Begin: Integer;
begin
  Result := ';' + Path + ';';
  Begin := Pos(';' + Lowercase(ExpandConstant('{app}')) + ';', Lowercase(Result));
  if Begin > 0 then
    Delete(Result, Begin, Length(ExpandConstant('{app}')) + 1);
  Result := Copy(Result, 2, Length(Result) - 2);
end;

procedure ChangePath(IsAdded: Boolean);
var
  Path: string;
begin
  if not RegQueryStringValue(HKEY_CURRENT_USER, Variables, 'Path', Path) then
    Path := '';
  Path := WithoutProgram(Path);
  if IsAdded then
  begin
    if (Path <> '') and (Path[Length(Path)] <> ';') then
      Path := Path + ';';
    Path := Path + ExpandConstant('{app}');
  end;
  RegWriteExpandStringValue(HKEY_CURRENT_USER, Variables, 'Path', Path);
end;

procedure CurStepChanged(CurStep: TSetupStep);
begin
  if (CurStep = ssPostInstall) and WizardIsTaskSelected('path') then
    ChangePath(True);
end;

procedure CurUninstallStepChanged(CurUninstallStep: TUninstallStep);
begin
  if CurUninstallStep = usPostUninstall then
    ChangePath(False);
end;
